/** Icons of lazy chunks, so that the initial page does not contain them. */
import { Icon } from './icons.tsx'

export const PlayIcon = () => (
  <Icon>
    <path d="M8 5.5v13l10.5-6.5L8 5.5Z" />
  </Icon>
)
export const PauseIcon = () => (
  <Icon>
    <path d="M9 6v12M15 6v12" />
  </Icon>
)
export const HiddenIcon = () => (
  <Icon>
    <path d="m4 4 16 16M9.9 5.2A9 9 0 0 1 12 5c5.5 0 9 7 9 7a16 16 0 0 1-2.6 3.4M6.2 6.7A16 16 0 0 0 3 12s3.5 7 9 7a9 9 0 0 0 4-.95M10 10a2.8 2.8 0 0 0 4 4" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2.25" />
    <path d="M15.5 8.5V6.75c0-1.25-1-2.25-2.25-2.25h-6.5c-1.25 0-2.25 1-2.25 2.25v6.5c0 1.25 1 2.25 2.25 2.25H8.5" />
  </Icon>
)
export const LinkIcon = () => (
  <Icon>
    <path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
  </Icon>
)
export const TranslateIcon = () => (
  <Icon>
    <path d="M4 6h9M8.5 4v2M11 6c-.6 3.6-3 6.6-6.5 8.5M6.2 9c1.3 2.5 3.2 4.2 5.6 5.2M12.5 20l4-10 4 10M14 16.5h5" />
  </Icon>
)
export const UnpinIcon = () => (
  <Icon>
    <path d="M9.2 4.5H15l-.6 4.4M9.5 10.1l-2.5 2.4v1.5h7M12 14v5.5M4.5 4.5l15 15" />
  </Icon>
)
export const PinForIcon = () => (
  <Icon>
    <path d="M12 4.5H8l.7 5.2L6 12.5V14h5M9.5 14v5.5" />
    <circle cx="16.500" cy="15.500" r="4" />
    <path d="M16.5 13.5v2l1.25 1" />
  </Icon>
)
export const ReadersIcon = () => (
  <Icon>
    <path d="M3 12.5C5 8.8 8.3 7 12 7s7 1.8 9 5.5c-2 3.7-5.3 5.5-9 5.5s-7-1.8-9-5.5Z" />
    <circle cx="12" cy="12.500" r="2.500" />
  </Icon>
)
export const AddPersonIcon = () => (
  <Icon>
    <circle cx="10" cy="8.500" r="3.500" />
    <path d="M3.5 19.5c.8-3.5 3.2-5.5 6.5-5.5 1.5 0 2.8.4 3.9 1.2M18 14v6m-3-3h6" />
  </Icon>
)
export const ShieldIcon = () => (
  <Icon>
    <path d="M12 4 5.5 6.5V12c0 3.8 2.6 6.6 6.5 8 3.9-1.4 6.5-4.2 6.5-8V6.5L12 4ZM9 12l2.2 2.2L15.2 10" />
  </Icon>
)
export const LeaveIcon = () => (
  <Icon directional>
    <path d="M13.5 5H7a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h6.5M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
  </Icon>
)
export const UnreadIcon = () => (
  <Icon>
    <path d="M13.5 5.5H6.25A2.25 2.25 0 0 0 4 7.75v8.5a2.25 2.25 0 0 0 2.25 2.25h11.5A2.25 2.25 0 0 0 20 16.25V11M4.5 8l7.5 5 3-2" />
    <circle cx="18" cy="6" r="2.5" fill="currentColor" stroke="none" />
  </Icon>
)
export const TrashIcon = () => (
  <Icon>
    <path d="M5 7h14M10 7V4.75h4V7M7 7l.7 11c0 .8.7 1.5 1.5 1.5h5.6c.8 0 1.5-.7 1.5-1.5L17 7M10.25 10.5v5.5M13.75 10.5v5.5" />
  </Icon>
)
export const FileIcon = () => (
  <Icon>
    <path d="M13.5 4H8a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h8a2 2 0 0 0 2-2V8.5L13.5 4Zm0 0v4.5H18" />
  </Icon>
)
export const DownloadIcon = () => (
  <Icon>
    <path d="M12 4.5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14" />
  </Icon>
)
export const ZoomInIcon = () => (
  <Icon>
    <path d="m15.5 15.5 4.5 4.5M11 8.5v5M8.5 11h5" />
    <circle cx="11" cy="11" r="6.500" />
  </Icon>
)
export const ZoomOutIcon = () => (
  <Icon>
    <path d="m15.5 15.5 4.5 4.5M8.5 11h5" />
    <circle cx="11" cy="11" r="6.500" />
  </Icon>
)
export const WinnerIcon = () => (
  <Icon>
    <path d="M8 4.5h8v5a4 4 0 0 1-8 0v-5ZM8 6H5v1.5a3 3 0 0 0 3 3M16 6h3v1.5a3 3 0 0 1-3 3M12 13.5v4M8.5 19.5h7" />
  </Icon>
)
export const FlagIcon = () => (
  <Icon>
    <path d="M6 20V5M6 5.5c4-2 7 2 12 0v8.5c-5 2-8-2-12 0" />
  </Icon>
)
export const BellIcon = () => (
  <Icon>
    <path d="M6.5 10a5.5 5.5 0 0 1 11 0c0 5 2 6.5 2 6.5h-15s2-1.5 2-6.5M10.5 19.5a2 2 0 0 0 3 0" />
  </Icon>
)
export const MoonIcon = () => (
  <Icon>
    <path d="M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5Z" />
  </Icon>
)
export const HideIcon = () => (
  <Icon>
    <path d="M4 4.5l16 15M9.5 6.2A9 9 0 0 1 12 6c4 0 7.3 2.2 9 6a13 13 0 0 1-2.4 3.5M6.2 8C4.7 9 3.7 10.4 3 12c1.7 3.8 5 6 9 6a9 9 0 0 0 3.3-.6" />
  </Icon>
)
