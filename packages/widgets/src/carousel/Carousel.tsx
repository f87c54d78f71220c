/**
 * A carousel: shows one slide at a time, moved by buttons, by the arrow keys and by dragging. It needs no `Chat` around
 * it and has no texts of its own; the caller passes the {@link CarouselWords}.
 *
 *     <Carousel words={words}>
 *       <CarouselSlides>{pictures}</CarouselSlides>
 *       <CarouselPrevious><Arrow /></CarouselPrevious>
 *       <CarouselNext><Arrow /></CarouselNext>
 *     </Carousel>
 */
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import {
  Children,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type RootProps, rootProps } from '../root-props.ts'

/** Px: a pointer that has dragged the slides further than this does not press an element on them [CAR-6]. */
const DRAG_THRESHOLD = 10

/** Strength of the motion: higher is slower. Not in milliseconds [CAR-7]. */
const DURATION = 25

/** A slide counts as visible when this much of it is on screen. */
const SEEN_FROM = 0.5

export interface CarouselProps extends RootProps {
  words: CarouselWords
  /** In px; default 10 [CAR-8]. */
  dragThreshold?: number
  /** Strength of the motion, higher is slower; default 25 [CAR-8]. With reduced motion there is none. */
  duration?: number
  /** The first slide, from 0. */
  startIndex?: number
  /** Called when another slide has become the first on screen. */
  onMove?: (index: number) => void
  children: ReactNode
}

/** A part passes any attribute to its outermost element, as a component does. */
export interface CarouselPartProps<Root extends HTMLElement> extends RootProps<Root> {
  children: ReactNode
}

/** The texts of a carousel, in the language of the page. */
export interface CarouselWords {
  /** The name of the slides as a whole. */
  label: string
  /** "carousel", for screen readers. */
  carousel: string
  /** "slide". */
  slide: string
  /** "3 of 7"; `place` counts from 1. */
  place: (place: number, count: number) => string
  previous: string
  next: string
}

interface CarouselState {
  words: CarouselWords
  viewport: UseEmblaCarouselType[0]
  /** The slides on screen, from 0. */
  seen: readonly number[]
  canMove: Record<Way, boolean>
  move: (way: Way) => void
  controls: Record<Way, RefObject<HTMLButtonElement | null>>
}

type Way = 'previous' | 'next'

const CarouselContext = createContext<CarouselState | undefined>(undefined)

/**
 * The region around slides and controls.
 *
 * Style hooks: `.chat-carousel`, `.chat-carousel-viewport`, `.chat-carousel-slide`, `.chat-carousel-control` with
 * `[data-way]` and `[aria-disabled]` · `--chat-carousel-slide` (width of a slide, 100%), `--chat-carousel-gap` (0).
 */
export function Carousel({
  words,
  dragThreshold = DRAG_THRESHOLD,
  duration = DURATION,
  startIndex = 0,
  onMove,
  children,
  ...root
}: CarouselProps) {
  const region = useRef<HTMLElement>(null)
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr')
  const [viewport, embla] = useEmblaCarousel({
    align: 'start',
    direction,
    dragThreshold,
    duration,
    startIndex,
    inViewThreshold: SEEN_FROM,
    breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
  })
  const [seen, setSeen] = useState<readonly number[]>([startIndex])
  const [canMove, setCanMove] = useState({ previous: startIndex > 0, next: true })
  const controls = { previous: useRef<HTMLButtonElement>(null), next: useRef<HTMLButtonElement>(null) }
  const told = useRef(onMove)
  told.current = onMove

  useEffect(() => {
    if (region.current && getComputedStyle(region.current).direction === 'rtl') setDirection('rtl')
  }, [])

  useEffect(() => {
    if (!embla) return
    const look = () => {
      setCanMove({ previous: embla.canScrollPrev(), next: embla.canScrollNext() })
      setSeen([...new Set([embla.selectedScrollSnap(), ...embla.slidesInView()])])
    }
    const tell = () => told.current?.(embla.selectedScrollSnap())
    look()
    embla.on('select', look).on('select', tell).on('slidesInView', look).on('reInit', look)
    return () => {
      embla.off('select', look).off('select', tell).off('slidesInView', look).off('reInit', look)
    }
  }, [embla])

  function move(way: Way) {
    if (!embla || !canMove[way]) return
    // The former slide becomes inert, and an inert element loses the focus to the page.
    if (region.current?.querySelector('.chat-carousel-slide:focus-within')) controls[way].current?.focus()
    if (way === 'previous') embla.scrollPrev()
    else embla.scrollNext()
  }

  function moveByKey(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return
    const keys =
      direction === 'rtl'
        ? { ArrowRight: 'previous', ArrowLeft: 'next' }
        : { ArrowLeft: 'previous', ArrowRight: 'next' }
    const way = (keys as Record<string, Way | undefined>)[event.key]
    if (!way) return
    event.preventDefault()
    move(way)
  }

  return (
    <CarouselContext value={{ words, viewport, seen, canMove, move, controls }}>
      <section
        {...rootProps(
          {
            className: 'chat-carousel',
            ref: region,
            'aria-label': words.label,
            'aria-roledescription': words.carousel,
            onKeyDown: moveByKey,
          },
          root,
        )}
      >
        {children}
      </section>
    </CarouselContext>
  )
}

/** The slides: each child is one. Those that are not on screen are inert. */
export function CarouselSlides({ children, ...root }: CarouselPartProps<HTMLDivElement>) {
  const { words, viewport, seen } = useCarousel('CarouselSlides')
  const slides = Children.toArray(children)
  return (
    <div {...(rootProps({ className: 'chat-carousel-viewport', ref: viewport }, root) as RootProps<HTMLDivElement>)}>
      <div className="chat-carousel-track">
        {slides.map((slide, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is not a set of form fields
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a slide is identified by its index
            key={index}
            className="chat-carousel-slide"
            role="group"
            aria-roledescription={words.slide}
            aria-label={words.place(index + 1, slides.length)}
            inert={!seen.includes(index)}
          >
            {slide}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The button to the previous slide; its content is given. */
export function CarouselPrevious({ children, ...root }: CarouselPartProps<HTMLButtonElement>) {
  return <Control way="previous" name="CarouselPrevious" icon={children} root={root} />
}

/** The button to the next slide; its content is given. */
export function CarouselNext({ children, ...root }: CarouselPartProps<HTMLButtonElement>) {
  return <Control way="next" name="CarouselNext" icon={children} root={root} />
}

interface ControlProps {
  way: Way
  name: string
  icon: ReactNode
  root: RootProps<HTMLButtonElement>
}

/** A disabled button keeps its place in the tab order, so that the focus is not lost there [CAR-9]. */
function Control({ way, name, icon, root }: ControlProps) {
  const { words, canMove, move, controls } = useCarousel(name)
  return (
    <button
      type="button"
      {...rootProps(
        {
          className: 'chat-carousel-control',
          'data-way': way,
          ref: controls[way],
          'aria-label': words[way],
          'aria-disabled': !canMove[way] || undefined,
          onClick: () => move(way),
        },
        root,
      )}
    >
      {icon}
    </button>
  )
}

/** @throws Error if the part is not inside a carousel [CAR-5] */
function useCarousel(part: string): CarouselState {
  const carousel = useContext(CarouselContext)
  if (!carousel) throw new Error(`${part} is outside of a Carousel; put <Carousel> around it.`)
  return carousel
}
