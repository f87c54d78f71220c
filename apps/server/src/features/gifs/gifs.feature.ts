import { feature } from '../../feature.ts'
import { serveGifs } from './gif-files.ts'

export const gifs = feature('gifs', {
  routes: serveGifs,
})
