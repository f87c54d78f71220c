import type { ReactNode } from 'react'

interface IconProps {
  /** Mirrored in right-to-left text. */
  directional?: boolean
  children: ReactNode
}

/** Drawn on a 24 × 24 grid in the colour of the text around it; always beside a name, never instead of one. */
export function Icon({ directional, children }: IconProps) {
  return (
    <svg className="chat-icon" viewBox="0 0 24 24" aria-hidden="true" data-directional={directional || undefined}>
      {children}
    </svg>
  )
}

export const BackIcon = () => (
  <Icon directional>
    <path d="M15 5 8 12l7 7" />
  </Icon>
)
export const SendIcon = () => (
  <Icon directional>
    <path d="M4.5 12 3.8 5.2c-.1-.9.8-1.5 1.6-1.1l14.5 7c.8.4.8 1.4 0 1.8l-14.5 7c-.8.4-1.7-.3-1.6-1.1L4.5 12Zm0 0h7" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.25" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
)
export const SentIcon = () => (
  <Icon>
    <path d="m6 12.5 4 4L18.5 8" />
  </Icon>
)
export const DeliveredIcon = () => (
  <Icon>
    <path d="m2.5 12.5 4 4L15 8M11.5 15.5l1 1L21 8" />
  </Icon>
)
export const WarningIcon = () => (
  <Icon>
    <path d="M12 8.5v4.25M12 16h.01M10.4 4.4 2.9 17.2A1.9 1.9 0 0 0 4.5 20h15a1.9 1.9 0 0 0 1.6-2.8L13.6 4.4a1.9 1.9 0 0 0-3.2 0Z" />
  </Icon>
)
export const ReplyIcon = () => (
  <Icon directional>
    <path d="M9.5 7 4 12l5.5 5M4.5 12H14c3.3 0 6 2.2 6 5.5" />
  </Icon>
)
export const ThreadIcon = () => (
  <Icon directional>
    <path d="M5 5.5h14v10h-8l-4 3.5v-3.5H5v-10ZM8.5 9h7M8.5 12h4.5" />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="2.6" />
  </Icon>
)
export const SmileIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.25" />
    <path d="M8.5 14c.8 1.2 2 1.9 3.5 1.9s2.7-.7 3.5-1.9M9 9.75h.01M15 9.75h.01" />
  </Icon>
)
export const EditIcon = () => (
  <Icon>
    <path d="m14.5 6.5 3 3M5 19l.8-3.7L16.2 4.9a1.7 1.7 0 0 1 2.4 0l.5.5a1.7 1.7 0 0 1 0 2.4L8.7 18.2 5 19Z" />
  </Icon>
)
export const PinIcon = () => (
  <Icon>
    <path d="M9 4.5h6l-.7 5.2 2.7 2.8v1.5H7v-1.5l2.7-2.8L9 4.5ZM12 14v5.5" />
  </Icon>
)
export const MuteIcon = () => (
  <Icon>
    <path d="M18 15.5c-1-1-1.5-2.5-1.5-5a4.5 4.5 0 0 0-7.3-3.5M7.5 10.5c0 3.5-1 4.7-2 5.5h11.5M10 18.5c.4.6 1.1 1 2 1s1.6-.4 2-1M4 4l16 16" />
  </Icon>
)
export const RetryIcon = () => (
  <Icon>
    <path d="M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5" />
  </Icon>
)
export const CloseIcon = () => (
  <Icon>
    <path d="m6.5 6.5 11 11M17.5 6.5l-11 11" />
  </Icon>
)
export const LockIcon = () => (
  <Icon>
    <rect x="5.5" y="10.5" width="13" height="9" rx="2.25" />
    <path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" />
  </Icon>
)
export const ChatIcon = () => (
  <Icon>
    <path d="M12 4.5c-4.7 0-8.5 3.1-8.5 7 0 2 1 3.9 2.7 5.1L5.5 20l3.8-1.8c.9.2 1.8.3 2.7.3 4.7 0 8.5-3.1 8.5-7s-3.8-7-8.5-7Z" />
  </Icon>
)
export const MissingIcon = () => (
  <Icon>
    <path d="M12 4.5c-4.7 0-8.5 3.1-8.5 7 0 2 1 3.9 2.7 5.1L5.5 20l3.8-1.8c.9.2 1.8.3 2.7.3 4.7 0 8.5-3.1 8.5-7s-3.8-7-8.5-7ZM9.75 9.25l4.5 4.5M14.25 9.25l-4.5 4.5" />
  </Icon>
)
export const OfflineIcon = () => (
  <Icon>
    <path d="M3 8.5a13 13 0 0 1 6-3.2M13.5 5.1A13 13 0 0 1 21 8.5M6 12.25A8.7 8.7 0 0 1 9 10.3M15 10.3a8.7 8.7 0 0 1 3 1.95M9.3 15.7a4 4 0 0 1 5.4 0M12 18.75h.01M4 4l16 16" />
  </Icon>
)
export const AttachIcon = () => (
  <Icon>
    <path d="m19 11.5-7.3 7.3a4.6 4.6 0 0 1-6.5-6.5l7.6-7.6a3 3 0 0 1 4.3 4.3l-7.5 7.5a1.5 1.5 0 0 1-2.1-2.1l6.8-6.8" />
  </Icon>
)
export const MicrophoneIcon = () => (
  <Icon>
    <rect x="9.250" y="3.750" width="5.500" height="10.500" rx="2.750" />
    <path d="M6 11.5a6 6 0 0 0 12 0M12 17.5v3" />
  </Icon>
)
export const ForbiddenIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.25" />
    <path d="m6.25 6.25 11.5 11.5" />
  </Icon>
)
export const PollIcon = () => (
  <Icon>
    <path d="M6 20v-6M12 20V4M18 20v-9" strokeWidth="2.600" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4 4" />
  </Icon>
)
export const ArchiveIcon = () => (
  <Icon>
    <path d="M4 5h16v4H4zM5.5 9v10h13V9M10 13h4" />
  </Icon>
)
export const SettingsIcon = () => (
  <Icon>
    <path d="m12 3.5 7.5 4.3v8.4L12 20.5l-7.5-4.3V7.8z" />
    <circle cx="12" cy="12" r="3" />
  </Icon>
)
export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.25" />
    <path d="M12 11v5M12 8h.01" />
  </Icon>
)
export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8.500" r="3.500" />
    <path d="M5 19.5c.8-3.5 3.5-5.5 7-5.5s6.2 2 7 5.5" />
  </Icon>
)
