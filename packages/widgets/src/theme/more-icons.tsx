/** Icons of what is not there from the start, so that a page does not begin with them. */
import { Icon } from './icons.tsx'

export const PlayIcon = () => (
  <Icon directional>
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
    <path d="m4 4 16 16M9.900 5.200A9 9 0 0 1 12 5c5.500 0 9 7 9 7a16 16 0 0 1-2.600 3.400M6.200 6.700A16 16 0 0 0 3 12s3.500 7 9 7a9 9 0 0 0 4-.95M10 10a2.800 2.800 0 0 0 4 4" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2.25" />
    <path d="M15.5 8.500V6.750c0-1.25-1-2.25-2.25-2.250h-6.500c-1.25 0-2.25 1-2.25 2.250v6.500c0 1.25 1 2.25 2.25 2.250H8.5" />
  </Icon>
)
export const LinkIcon = () => (
  <Icon>
    <path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
  </Icon>
)
export const TranslateIcon = () => (
  <Icon>
    <path d="M4 6h9M8.5 4v2M11 6c-.6 3.600-3 6.600-6.500 8.500M6.200 9c1.300 2.500 3.200 4.200 5.600 5.200M12.500 20l4-10 4 10M14 16.500h5" />
  </Icon>
)
export const UnpinIcon = () => (
  <Icon>
    <path d="M9.200 4.500H15l-.6 4.400M9.500 10.100l-2.500 2.400v1.500h7M12 14v5.500M4.500 4.500l15 15" />
  </Icon>
)
export const PinForIcon = () => (
  <Icon>
    <path d="M12 4.500H8l.7 5.200L6 12.500V14h5M9.500 14v5.500" />
    <circle cx="16.500" cy="15.500" r="4" />
    <path d="M16.500 13.500v2l1.250 1" />
  </Icon>
)
export const ReadersIcon = () => (
  <Icon>
    <path d="M3 12.500C5 8.800 8.300 7 12 7s7 1.800 9 5.500c-2 3.700-5.300 5.500-9 5.500s-7-1.800-9-5.500Z" />
    <circle cx="12" cy="12.500" r="2.500" />
  </Icon>
)
export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8.500" r="3.500" />
    <path d="M5 19.500c.8-3.500 3.500-5.500 7-5.500s6.200 2 7 5.500" />
  </Icon>
)
export const AddPersonIcon = () => (
  <Icon>
    <circle cx="10" cy="8.500" r="3.500" />
    <path d="M3.500 19.500c.8-3.500 3.200-5.500 6.500-5.500 1.500 0 2.800.4 3.900 1.200M18 14v6m-3-3h6" />
  </Icon>
)
export const ShieldIcon = () => (
  <Icon>
    <path d="M12 4 5.500 6.500V12c0 3.800 2.600 6.600 6.500 8 3.900-1.400 6.500-4.200 6.500-8V6.500L12 4ZM9 12l2.200 2.200L15.200 10" />
  </Icon>
)
export const LeaveIcon = () => (
  <Icon directional>
    <path d="M13.500 5H7a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h6.500M10.500 12H20M16.500 8.500 20 12l-3.500 3.500" />
  </Icon>
)
export const UnreadIcon = () => (
  <Icon>
    <path d="M13.5 5.500H6.250A2.25 2.25 0 0 0 4 7.750v8.500a2.25 2.25 0 0 0 2.25 2.250h11.500A2.25 2.25 0 0 0 20 16.250V11M4.5 8l7.5 5 3-2" />
    <circle cx="18" cy="6" r="2.5" fill="currentColor" stroke="none" />
  </Icon>
)
export const TrashIcon = () => (
  <Icon>
    <path d="M5 7h14M10 7V4.750h4V7M7 7l.7 11c0 .8.7 1.5 1.5 1.500h5.600c.8 0 1.5-.7 1.5-1.500L17 7M10.25 10.500v5.500M13.75 10.500v5.5" />
  </Icon>
)
export const FileIcon = () => (
  <Icon>
    <path d="M13.5 4H8a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h8a2 2 0 0 0 2-2V8.500L13.5 4Zm0 0v4.500H18" />
  </Icon>
)
export const DownloadIcon = () => (
  <Icon>
    <path d="M12 4.500v10.500M7.500 11l4.500 4.500 4.500-4.500M5 19.500h14" />
  </Icon>
)
export const ZoomInIcon = () => (
  <Icon>
    <path d="m15.500 15.500 4.500 4.500M11 8.500v5M8.500 11h5" />
    <circle cx="11" cy="11" r="6.500" />
  </Icon>
)
export const ZoomOutIcon = () => (
  <Icon>
    <path d="m15.500 15.500 4.500 4.500M8.500 11h5" />
    <circle cx="11" cy="11" r="6.500" />
  </Icon>
)
export const WinnerIcon = () => (
  <Icon>
    <path d="M8 4.500h8v5a4 4 0 0 1-8 0v-5ZM8 6H5v1.500a3 3 0 0 0 3 3M16 6h3v1.500a3 3 0 0 1-3 3M12 13.500v4M8.500 19.500h7" />
  </Icon>
)
export const FlagIcon = () => (
  <Icon>
    <path d="M6 20V5M6 5.500c4-2 7 2 12 0v8.500c-5 2-8-2-12 0" />
  </Icon>
)
export const BellIcon = () => (
  <Icon>
    <path d="M6.500 10a5.500 5.500 0 0 1 11 0c0 5 2 6.500 2 6.500h-15s2-1.500 2-6.500M10.500 19.500a2 2 0 0 0 3 0" />
  </Icon>
)
export const HideIcon = () => (
  <Icon>
    <path d="M4 4.500l16 15M9.500 6.200A9 9 0 0 1 12 6c4 0 7.300 2.200 9 6a13 13 0 0 1-2.400 3.500M6.200 8C4.700 9 3.700 10.400 3 12c1.700 3.800 5 6 9 6a9 9 0 0 0 3.300-.600" />
  </Icon>
)
