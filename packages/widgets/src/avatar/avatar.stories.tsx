import { longName } from '../component-gallery/far-too-much.ts'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { Avatar } from './Avatar.tsx'

/** A picture that needs no network. */
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#6d28d9" d="M0 0h9v9H0z"/><circle cx="4.500" cy="3.500" r="2" fill="#fff"/></svg>')}`

export const avatar: Stories = {
  component: 'Avatar',
  empty: (root) => <InChat>{() => <Avatar {...root} id="nobody" name="" />}</InChat>,
  typical: (root) => (
    <InChat>
      {() => (
        <div style={{ display: 'flex', alignItems: 'center', gap: '1rem' }}>
          <Avatar {...root} id="ada" name="Ada Okafor" presence="online" />
          <Avatar id="bo" name="Bo Lindqvist" presence="offline" size="large" />
          <Avatar id="yuki" name="山田 由紀" image={picture} size="small" />
          <Avatar id="leila" name="ليلى حداد" behind={{ id: 'cy', name: 'Cy Tanaka' }} size="large" />
          <Avatar id="cy" name="Cy Tanaka" size="tiny" />
        </div>
      )}
    </InChat>
  ),
  tooMuch: (root) => (
    <InChat>
      {() => <Avatar {...root} id="max" name={longName} behind={{ id: 'max', name: longName }} size="large" />}
    </InChat>
  ),
  error: (root) => (
    <InChat>{() => <Avatar {...root} id="ada" name="Ada Okafor" image="data:image/png;base64,broken" />}</InChat>
  ),
}
