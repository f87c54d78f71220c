/**
 * The component gallery: every component of the kit in every example.
 *
 *     npm run gallery
 */
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { catalogues } from '../i18n/vite-catalogues.ts'

const server = await createServer({
  configFile: false,
  root: import.meta.dirname,
  plugins: [catalogues(), react()],
  server: { port: Number(process.env.PORT ?? 6_060), host: process.env.HOST ?? 'localhost' },
  optimizeDeps: { entries: ['gallery.tsx', 'story.tsx'] },
})
await server.listen()
server.printUrls()
