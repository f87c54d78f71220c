import { catalogues } from '@parley/widgets/vite-catalogues'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [catalogues(), reactRouter()],
  // Our own packages are TypeScript sources, so they are built along; everything from npm stays outside.
  ssr: { noExternal: [/^@parley\//] },
  // Found at start and not page by page, so that a page is not loaded again while one uses it.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}'] },
  // Older targets would make light-dark() follow the page alone, and not the element it colours.
  build: { target: 'es2023', cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
})
