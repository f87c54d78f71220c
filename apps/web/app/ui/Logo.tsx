/** Two bubbles that share a corner: two organizations, one conversation. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="logo-ground" width="32" height="32" rx="9" />
      <path className="logo-back" d="M13 8.5h8A4.5 4.5 0 0 1 25.5 13v3.5a4.5 4.5 0 0 1-3.2 4.3" />
      <path
        className="logo-front"
        d="M10.5 12h6a4 4 0 0 1 4 4v2a4 4 0 0 1-4 4h-4.2l-3.1 2.6c-.4.3-.9 0-.9-.4V21.4A4 4 0 0 1 6.5 18v-2a4 4 0 0 1 4-4z"
      />
    </svg>
  )
}
