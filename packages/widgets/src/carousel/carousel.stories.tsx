/// <reference types="vite/client" />
import { longName, longWord } from '../component-gallery/far-too-much.ts'
import lake from '../component-gallery/lake.svg?no-inline'
import type { Stories } from '../component-gallery/stories.ts'
import type { Elements } from '../elements.ts'
import { carouselWords as words } from '../testing/carousel-words.ts'
import { Carousel, CarouselNext, CarouselPrevious, CarouselSlides } from './Carousel.tsx'

const drawn = (texts: readonly string[]) =>
  texts.map((text) => (
    <figure key={text} style={{ margin: 0 }}>
      <img src={lake} alt="" style={{ inlineSize: '100%', borderRadius: '0.625rem' }} />
      <figcaption style={{ paddingBlock: '0.5rem', overflowWrap: 'anywhere' }}>{text}</figcaption>
    </figure>
  ))
const three = ['The harbour at dusk', 'The market', 'The train home']
const tooMuch = [longWord, longName, ...Array.from({ length: 60 }, (_, place) => `Slide ${place}`)]

/** A carousel of which one part is shown. */
function Around({ texts, slides, previous, next }: AroundProps) {
  return (
    <Carousel words={words}>
      {slides ?? <CarouselSlides>{drawn(texts)}</CarouselSlides>}
      {previous ?? <CarouselPrevious>←</CarouselPrevious>}
      {next ?? <CarouselNext>→</CarouselNext>}
    </Carousel>
  )
}

interface AroundProps {
  texts: readonly string[]
  slides?: Elements
  previous?: Elements
  next?: Elements
}

const nothingFails = 'It shows what it is given, and asks nobody.'

export const carousel: Stories = {
  component: 'Carousel',
  room: 'card',
  empty: (root) => (
    <Carousel words={words} {...root}>
      <CarouselSlides>{[]}</CarouselSlides>
    </Carousel>
  ),
  typical: (root) => (
    <Carousel words={words} {...root}>
      <CarouselSlides>{drawn(three)}</CarouselSlides>
      <CarouselPrevious>←</CarouselPrevious>
      <CarouselNext>→</CarouselNext>
    </Carousel>
  ),
  tooMuch: () => <Around texts={tooMuch} />,
  error: nothingFails,
}

export const carouselSlides: Stories = {
  component: 'CarouselSlides',
  room: 'card',
  empty: (root) => <Around texts={[]} slides={<CarouselSlides {...root}>{[]}</CarouselSlides>} />,
  typical: (root) => <Around texts={three} slides={<CarouselSlides {...root}>{drawn(three)}</CarouselSlides>} />,
  tooMuch: (root) => <Around texts={tooMuch} slides={<CarouselSlides {...root}>{drawn(tooMuch)}</CarouselSlides>} />,
  error: nothingFails,
}

export const carouselPrevious: Stories = {
  component: 'CarouselPrevious',
  room: 'card',
  empty: (root) => <Around texts={[]} previous={<CarouselPrevious {...root}>←</CarouselPrevious>} />,
  typical: (root) => <Around texts={three} previous={<CarouselPrevious {...root}>←</CarouselPrevious>} />,
  tooMuch: 'It is one button.',
  error: nothingFails,
}

export const carouselNext: Stories = {
  component: 'CarouselNext',
  room: 'card',
  empty: (root) => <Around texts={[]} next={<CarouselNext {...root}>→</CarouselNext>} />,
  typical: (root) => <Around texts={three} next={<CarouselNext {...root}>→</CarouselNext>} />,
  tooMuch: 'It is one button.',
  error: nothingFails,
}
