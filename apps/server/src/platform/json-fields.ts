/** The JSON of an object with more fields at its end; what is there is neither read nor written again. */
export function withFields(json: string, fields: object): string {
  const more = JSON.stringify(fields)
  return more === '{}' ? json : `${json.slice(0, -1)}${json === '{}' ? '' : ','}${more.slice(1)}`
}

/** What an event is called: every one begins with that. */
export function typeOf(body: string): string {
  return /^\{"type":"([^"]+)"/.exec(body)?.[1] ?? ''
}
