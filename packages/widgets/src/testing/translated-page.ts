/**
 * Does to a page what a browser's translator does: wraps every text, now and whenever it changes, in elements of its
 * own. Must run before anything else. Self-contained: it is sent to the browser as text.
 */
export function translatePage() {
  const isTranslated = (text: Text) =>
    text.data.trim() !== '' && !text.parentElement?.closest('font, script, style, textarea')
  const translate = (root: Node) => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    if (root instanceof Text) texts.push(root)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts.filter(isTranslated)) {
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      for (const node of [target, ...addedNodes]) if (node.isConnected && document.body?.contains(node)) translate(node)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
