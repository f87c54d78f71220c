import type { CarouselWords } from '../carousel/Carousel.tsx'

/** What a carousel says in stories and tests. */
export const carouselWords: CarouselWords = {
  label: 'Holidays',
  carousel: 'carousel',
  slide: 'slide',
  place: (place: number, count: number) => `${place} of ${count}`,
  previous: 'Previous',
  next: 'Next',
}
