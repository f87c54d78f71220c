import { type ReactNode, useId, useState } from 'react'

/**
 * A button that can be disabled with a reason. It stays in the tab order; a press while there is a reason shows and
 * announces the reason and does nothing else [NEW-54].
 */
export function ReasonedButton({ reason, busy, onPress, children }: ReasonedButtonProps) {
  const id = useId()
  const [asked, setAsked] = useState(false)
  return (
    <div className="reasoned">
      <p id={id} className={asked && reason ? 'field-error' : 'unseen'} role={asked && reason ? 'alert' : undefined}>
        {reason}
      </p>
      <button
        type="button"
        className="button"
        data-kind="primary"
        aria-disabled={!!reason || busy || undefined}
        aria-describedby={reason ? id : undefined}
        onClick={() => {
          setAsked(!!reason)
          if (!reason && !busy) onPress()
        }}
      >
        {children}
      </button>
    </div>
  )
}

interface ReasonedButtonProps {
  /** Why a press would do nothing; absent while the button is enabled. */
  reason?: string
  busy?: boolean
  onPress: () => void
  children: ReactNode
}
