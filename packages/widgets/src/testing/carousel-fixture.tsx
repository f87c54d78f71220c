/// <reference types="vite/client" />
import { createRoot } from 'react-dom/client'
import { Carousel, CarouselNext, CarouselPrevious, type CarouselProps, CarouselSlides } from '../carousel/Carousel.tsx'
import { carouselWords as words } from './carousel-words.ts'
import '../carousel/carousel.css'

export type CarouselOptions = Pick<CarouselProps, 'dragThreshold' | 'duration' | 'startIndex'>

const carouselFixture = {
  /** Shows a carousel of so many slides, each with a link on it. */
  show(count: number, options: CarouselOptions = {}) {
    const moves: number[] = []
    const slides = Array.from({ length: count }, (_, index) => index + 1)
    createRoot(document.getElementById('root')!).render(
      <div style={{ inlineSize: '400px' }}>
        <h1>Holidays</h1>
        <Carousel words={words} {...options} onMove={(index) => moves.push(index)}>
          <CarouselSlides>
            {slides.map((number) => (
              <p key={number} style={{ blockSize: '200px' }}>
                <span>{`Slide ${number}`}</span> <a href="#more">{`More about ${number}`}</a>
              </p>
            ))}
          </CarouselSlides>
          <CarouselPrevious>←</CarouselPrevious>
          <CarouselNext>→</CarouselNext>
        </Carousel>
      </div>,
    )
    return moves
  },
}

declare global {
  interface Window {
    carouselFixture: typeof carouselFixture
  }
}

window.carouselFixture = carouselFixture
document.documentElement.dataset.ready = ''
