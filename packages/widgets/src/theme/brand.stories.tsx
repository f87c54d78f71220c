import { ChannelList } from '../channel-list/ChannelList.tsx'
import { ChannelPane } from '../channel-pane/ChannelPane.tsx'
import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import { brandSheet } from './brand.ts'

/** A chat in the colours of a brand; light and dark apply as everywhere. */
function InBrand({ colour }: { colour: string }) {
  return (
    <InChat root={{ className: 'story-brand' }}>
      {(channel) => (
        <div className="story-messenger">
          <style>{brandSheet(colour, { selector: '.story-brand' })}</style>
          <ChannelList activeCid={channel.cid} onSelect={() => {}} />
          <ChannelPane cid={channel.cid} />
        </div>
      )}
    </InChat>
  )
}

export const brandColoursStories: Stories = {
  component: 'BrandColours',
  room: 'pane',
  empty: () => <InBrand colour="#808080" />,
  typical: () => <InBrand colour="#0b6b3a" />,
  tooMuch: () => <InBrand colour="#ffd500" />,
  error: 'A colour that could not be read is refused, and the console says so.',
}
