/** Where a verb asks somebody to do something; elsewhere it may speak of a third person. */
const FIRST = '(?<=^|[.;·] )'

/**
 * The words with which a language would address its reader in another way than the one it has here [I18N-12]. A word
 * that may mean somebody else as well, as the Spanish `su` does, stands in no list: what is found is wrong, what is not
 * found still wants a reader.
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
  // With a small letter it is his and hers.
  it: words(
    'lei|(?-i:Suo|Sua|Sue|Suoi)|riprovi',
    `${FIRST}(aggiunga|attenda|chieda|consenta|dia|inserisca|ne (chieda|scelga)|scelga|scopra|scriva|veda)`,
  ),
  ja: /(?<!で|ま)す。|(?<!でし|まし)た。|(?:だ|である|ない|る|しろ|くれ)。|お前|おまえ/,
  ko: words('\\p{L}*(니다|십시오|[습십입]니까)|너[는도를만의]?|너에게|네가|당신[도만은을의이]?'),
  nl: words('u|uw|uzelf'),
  pt: words('tu|te|ti|teus?|tuas?|contigo|vós|vossos?|vossas?'),
  // With a capital letter within a sentence it is a letter to one person.
  ru: words('ты|теб[яе]|тобой|тво(й|я|ё|и|его|ей|ему|им|ими|их|ю)|(?<=\\p{L},? )(?-i:Вы|Вас|Вам|Вами|Ваш\\p{L}*)'),
  tr: words('sen|sana|sende|senden|seni|senin|seninle|sensin'),
}

/** The sentences of a catalogue that address their reader in another way, with their names. */
export function addressedOtherwise(language: string, texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([key, text]) => (otherWords[language]?.test(text) ? [`${key}: ${text}`] : []))
}

function words(...lists: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${lists.join('|')})(?![\\p{L}\\p{M}])`, 'iu')
}
