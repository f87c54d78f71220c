import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

const ACCENTED: Record<string, string> = {
  ...{ a: 'á', c: 'ç', d: 'ð', e: 'é', g: 'ğ', i: 'í', k: 'ķ', l: 'ł', n: 'ñ', o: 'ö', r: 'ř', s: 'š', t: 'ţ', u: 'ü' },
  ...{ y: 'ý', z: 'ž', A: 'Å', C: 'Ç', D: 'Ð', E: 'É', G: 'Ğ', I: 'Î', N: 'Ñ', O: 'Ø', R: 'Ř', S: 'Š', T: 'Ţ', U: 'Ü' },
}
/** Languages longer than English need about so much more room. */
const LONGER = 0.4

/**
 * A pseudo-language: English with accents, in brackets, and 40 % longer. Text outside of brackets is not from the
 * catalogue, and where a bracket is not visible the text was cut.
 */
export function pseudo(text: string) {
  return compileMessageOrThrow(`⟦${text}⟧`, accented)
}

/** Vowels make a word longer without another break opportunity. */
function accented(words: string): string {
  let owed = 0
  return [...words]
    .map((letter) => {
      owed += LONGER
      const more = /[aeiou]/.test(letter) ? Math.floor(owed) : 0
      owed -= more
      return (ACCENTED[letter] ?? letter).repeat(1 + more)
    })
    .join('')
}
