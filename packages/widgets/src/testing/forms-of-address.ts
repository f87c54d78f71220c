/** Where a verb is an imperative; elsewhere it may be in the third person. */
const FIRST = '(?<=^|[.;·] )'

/**
 * The words of a language that address the reader in another form than the one used here [I18N-12]. An ambiguous word,
 * as the Spanish `su`, is in no list: a match is wrong, but texts without a match still need a reader.
 */
export const otherWords: Record<string, RegExp> = {
  de: words('du|dich|dir|dein(e[mnrs]?)?|euch|euer|beginne|gib|lade|prüfe|wähle'),
  es: words(
    'usted(es)?|quien le|actívelo|inténtelo|vuelva a intentarlo',
    `${FIRST}(anule|busque|compruebe|elija|encuentre|envíe|escriba|espere|hable|inicie|pida|ponga|pregunte|pruebe|recargue)`,
  ),
  fr: words(
    'tu|te|toi|ton|ta|tes|tiens?|tiennes?|t’\\p{L}+|connecte-toi|réessaie',
    `${FIRST}(attends|choisis|clique|dis|écris|épingle|nomme|prends-en|recharge|saisis|utilise|vérifie)`,
  ),
  hi: words('तू|तुम|तुझे|तुम्हें|तुम्हार[ाीे]|तेर[ाीे]|करो|खोलो|चुनो|जाओ|देखो|भेजो|लिखो'),
  // In lower case it means "his" or "her".
  it: words(
    'lei|(?-i:Suo|Sua|Sue|Suoi)|riprovi',
    `${FIRST}(aggiunga|attenda|chieda|consenta|dia|inserisca|ne (chieda|scelga)|scelga|scopra|scriva|veda)`,
  ),
  ja: /(?<!で|ま)す。|(?<!でし|まし)た。|(?:だ|である|ない|る|しろ|くれ)。|お前|おまえ/,
  ko: words('\\p{L}*(니다|십시오|[습십입]니까)|너[는도를만의]?|너에게|네가|당신[도만은을의이]?'),
  nl: words('u|uw|uzelf'),
  pt: words('tu|te|ti|teus?|tuas?|contigo|vós|vossos?|vossas?'),
  // With a capital letter within a sentence it is a formal address.
  ru: words('ты|теб[яе]|тобой|тво(й|я|ё|и|его|ей|ему|им|ими|их|ю)|(?<=\\p{L},? )(?-i:Вы|Вас|Вам|Вами|Ваш\\p{L}*)'),
  tr: words('sen|sana|sende|senden|seni|senin|seninle|sensin'),
}

/** The sentences of a catalogue with another form of address, with their keys. */
export function addressedOtherwise(language: string, texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([key, text]) => (otherWords[language]?.test(text) ? [`${key}: ${text}`] : []))
}

function words(...lists: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${lists.join('|')})(?![\\p{L}\\p{M}])`, 'iu')
}
