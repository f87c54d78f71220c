import { Carousel, CarouselNext, CarouselPrevious, type CarouselProps, CarouselSlides } from '@parley/widgets/carousel'
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'

/** The options of the carousel library. Its drag threshold is in pixels, its duration a strength. */
const told = vi.hoisted(() => vi.fn(() => [() => {}, undefined]))
vi.mock('embla-carousel-react', () => ({ default: told }))
beforeEach(() => told.mockClear())

const words = {
  label: 'Holidays',
  carousel: 'carousel',
  slide: 'slide',
  place: (place: number, count: number) => `${place} of ${count}`,
  previous: 'Previous',
  next: 'Next',
}

const show = (given: Partial<CarouselProps> = {}) =>
  renderToString(
    <Carousel words={words} {...given}>
      <CarouselSlides>
        <p>One</p>
        <p>Two</p>
      </CarouselSlides>
      <CarouselNext>→</CarouselNext>
    </Carousel>,
  )

it('[CAR-5] a control outside of a carousel throws an error that names it', () => {
  expect(() => renderToString(<CarouselPrevious>←</CarouselPrevious>)).toThrow(/CarouselPrevious .* Carousel/)
  expect(() => renderToString(<CarouselNext>→</CarouselNext>)).toThrow(/CarouselNext .* Carousel/)
})

it('[CAR-6] [CAR-7] drags from 10 px on and moves with a strength of 25 by default', () => {
  show()
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ dragThreshold: 10, duration: 25 }))
})

it('[CAR-8] both can be set for one carousel, in pixels and as a strength', () => {
  show({ dragThreshold: 4, duration: 60 })
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ dragThreshold: 4, duration: 60 }))
})

it('a server renders the first slide, and the others inert', () => {
  expect(show()).toMatch(/aria-label="1 of 2"[^>]*><p>One.*aria-label="2 of 2"[^>]* inert=""[^>]*><p>Two/)
})
