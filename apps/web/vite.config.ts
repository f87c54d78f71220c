import { catalogues } from '@parley/widgets/vite-catalogues'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [catalogues(), reactRouter()],
  // Our own packages are TypeScript sources, so they are built along; everything from npm stays outside.
  ssr: { noExternal: [/^@parley\//] },
  build: { target: 'es2023' },
})
