import type { CarouselWords } from '../carousel/Carousel.tsx'

/** The carousel's texts in examples and tests. */
export const carouselWords: CarouselWords = {
  label: 'Holidays',
  carousel: 'carousel',
  slide: 'slide',
  place: (place: number, count: number) => `${place} of ${count}`,
  previous: 'Previous',
  next: 'Next',
}
