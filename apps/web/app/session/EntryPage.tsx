import type { Elements } from '@parley/widgets'
import { Link, useActionData } from 'react-router'
import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import '../styles/entry.css'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** A page for signing in or joining: a form beside a still picture of a conversation. */
export function EntryPage({ title, heading, lead, notice, children }: EntryPageProps) {
  const t = useTranslate()
  const answer = useActionData<{ form?: MessageKey }>()
  return (
    <main className="sign-in" tabIndex={-1}>
      <PageTitle>{title}</PageTitle>
      <section className="sign-in-picture" aria-hidden="true">
        <Bubbles />
      </section>
      <section className="sign-in-panel">
        <Link to="/welcome" className="brand">
          <Logo />
          <span>{t('app.name')}</span>
        </Link>
        <h1>{heading}</h1>
        {lead && <p className="lead">{lead}</p>}
        {answer?.form && (
          <p className="notice" data-kind="danger" role="alert">
            {t(answer.form)}
          </p>
        )}
        {notice && (
          <p className="notice" role="status">
            {notice}
          </p>
        )}
        {children}
      </section>
    </main>
  )
}

interface EntryPageProps {
  /** In the browser's tab. */
  title: string
  heading: string
  lead?: string
  /** Why the visitor was sent here. */
  notice?: string
  children: Elements
}

function Bubbles() {
  return (
    <div className="bubbles">
      <span className="bubble" data-side="theirs" style={{ inlineSize: '62%' }} />
      <span className="bubble" data-side="theirs" style={{ inlineSize: '44%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '54%' }} />
      <span className="bubble" data-side="theirs" style={{ inlineSize: '70%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '38%' }} />
      <span className="bubble" data-side="own" style={{ inlineSize: '58%' }} />
    </div>
  )
}
