/** Some browsers report every key of an input method with this code, Safari also the one that ends a composition. */
const IME_KEY_CODE = 229

/** Whether a key belongs to an input method: the Enter that confirms a composition, the Escape that drops it. */
export function isComposing(press: { isComposing: boolean; keyCode: number }): boolean {
  return press.isComposing || press.keyCode === IME_KEY_CODE
}
