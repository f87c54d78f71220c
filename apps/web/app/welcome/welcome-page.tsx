import { Carousel, CarouselNext, CarouselPrevious, CarouselSlides, type CarouselWords } from '@parley/widgets/carousel'
import '@parley/widgets/carousel.css'
import { type ReactNode, useState } from 'react'
import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { hasPeople } from '../people/person-store.server.ts'
import { productContext } from '../product.server.ts'
import { sessionContext } from '../session/session.server.ts'
import '../styles/welcome.css'
import { Drawing, Icon } from '../ui/Icon.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PeopleIcon } from '../ui/later-icons.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { isFarewell } from './farewell.server.ts'
import { drawn, Scene, scenes } from './Scene.tsx'

const facts: [name: 'live' | 'everybody' | 'roles', icon: ReactNode][] = [
  ['live', <Drawing key="live" name="bolt" path={drawn.bolt} />],
  ['everybody', <PeopleIcon key="everybody" />],
  ['roles', <Drawing key="roles" name="shield" path={drawn.shield} />],
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.get(sessionContext)) throw redirect('/')
  return {
    isEmpty: !(await hasPeople(context.get(productContext).database.kysely)),
    isFarewell: isFarewell(request),
  }
}

/** The public page. */
export default function WelcomePage() {
  const t = useTranslate()
  const { isEmpty, isFarewell } = useLoaderData<typeof loader>()
  const door = isEmpty ? '/sign-up' : '/sign-in'
  const [slide, setSlide] = useState(0)
  const enter = t(isEmpty ? 'signUp.title' : 'signIn.title')
  return (
    <div className="welcome">
      <PageTitle />
      <header className="welcome-bar">
        <span className="brand">
          <Logo />
          <span>{t('app.name')}</span>
        </span>
        <Link className="button" data-size="small" to={door}>
          {enter}
        </Link>
      </header>
      <main tabIndex={-1}>
        {isFarewell && (
          // After scrolling on the page before, focus starts here, and screen readers announce it.
          <p className="notice" tabIndex={-1} ref={(notice) => notice?.focus()}>
            {t('account.deleted')}
          </p>
        )}
        <section className="welcome-hero">
          <div className="welcome-words">
            <h1>{t('welcome.title')}</h1>
            <p className="lead">{t('welcome.lead')}</p>
            <div className="actions">
              <Link className="button" data-kind="primary" data-size="large" to={door}>
                {enter}
              </Link>
              <a className="button" data-kind="quiet" data-size="large" href="#tour">
                {t('welcome.tour')}
              </a>
            </div>
          </div>
          <Scene name="chat" />
        </section>
        <section id="tour" className="welcome-tour">
          <Carousel words={useCarouselWords()} onMove={setSlide}>
            <CarouselSlides>
              {scenes.map((name) => (
                <div key={name} className="welcome-slide">
                  <div className="welcome-slide-words">
                    <h2>{t(`welcome.slide.${name}`)}</h2>
                    <p>{t(`welcome.slide.${name}.body`)}</p>
                  </div>
                  <Scene name={name} />
                </div>
              ))}
            </CarouselSlides>
            <div className="welcome-controls">
              <CarouselPrevious>
                <Icon name="left" />
              </CarouselPrevious>
              <CarouselNext>
                <Icon name="right" />
              </CarouselNext>
              <span className="welcome-place" aria-hidden="true">
                {scenes.map((name, place) => (
                  <i key={name} data-on={place === slide || undefined} />
                ))}
              </span>
            </div>
          </Carousel>
        </section>
        <ul className="welcome-facts">
          {facts.map(([name, icon]) => (
            <li key={name}>
              <span className="tile-mark" aria-hidden="true">
                {icon}
              </span>
              <h2>{t(`welcome.fact.${name}`)}</h2>
              <p>{t(`welcome.fact.${name}.body`)}</p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}

function useCarouselWords(): CarouselWords {
  const t = useTranslate()
  return {
    label: t('carousel.label'),
    carousel: t('carousel.role'),
    slide: t('carousel.slide'),
    place: (place, count) => t('carousel.place', { place, count }),
    previous: t('carousel.previous'),
    next: t('carousel.next'),
  }
}
