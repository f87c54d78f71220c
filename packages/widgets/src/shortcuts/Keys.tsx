import { Fragment } from 'react'
import { keysShown } from './keys-shown.ts'
import { isMac } from './shortcuts.ts'

/** Keys as they are labelled on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  const ways = keysShown(keys, isMac()).map((parts) => ({ parts, name: parts.join('+') }))
  return (
    <span className="chat-keys-ways">
      {ways.map(({ parts, name }) => (
        <span key={name} className="chat-keys">
          {parts.map((part) => (
            <Fragment key={part}>
              <kbd className="chat-key">{part}</kbd>{' '}
            </Fragment>
          ))}
        </span>
      ))}
    </span>
  )
}
