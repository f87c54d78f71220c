import type { Elements } from '@parley/widgets'
import { Drawing, Icon } from '../ui/Icon.tsx'

/** Icons that only this page uses. */
export const drawn = {
  bolt: 'M13 3.5 5.5 13.5H12l-1 7 7.5-10H12z',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.8 7.4 7 9 4.2-1.6 7-4.7 7-9V6zM9 11.8l2.2 2.2 4-4.2',
  clock: 'M12 7.5V12l3 1.8M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z',
}

/** One for each slide. */
export const scenes = ['together', 'threads', 'offline', 'yours'] as const
export type SceneName = 'chat' | (typeof scenes)[number]

/** A small drawing of the product in use. It contains no text, so it needs no translation or description. */
export function Scene({ name }: { name: SceneName }) {
  return (
    <div className="scene" data-scene={name} aria-hidden="true">
      <div className="scene-frame">
        <i className="scene-bar">
          <b />
          <b />
          <b />
        </i>
        {drawings[name]}
      </div>
    </div>
  )
}

const drawings: Record<SceneName, Elements> = {
  chat: (
    <div className="scene-columns">
      <div className="scene-list">
        {['bo-nakamura', 'chloe', 'tom', 'ipek'].map((seed, place) => (
          <div key={seed} className="scene-row" data-open={place === 0 || undefined}>
            <Face seed={seed} />
            <Lines widths={[place === 0 ? 70 : 54 + ((place * 13) % 30), 84 - place * 9]} />
            {place === 1 && <em>3</em>}
          </div>
        ))}
      </div>
      <div className="scene-talk">
        <Said by="bo-nakamura" widths={[92, 64]} />
        <Said own widths={[88]} />
        <Said by="bo-nakamura" widths={[58]} hearts />
        <Said own widths={[96, 72]} ticks />
        <Typing by="bo-nakamura" />
      </div>
    </div>
  ),
  together: (
    <div className="scene-people">
      <div className="scene-composer">
        <Icon name="search" />
        <Lines widths={[34]} />
      </div>
      {['mei', 'tomas', 'chloe', 'bo-nakamura'].map((seed, place) => (
        <div key={seed} className="scene-row">
          <Face seed={seed} />
          <Lines widths={[52 - place * 6, 30 + ((place * 17) % 25)]} />
          <q data-organization={place % 3} />
          <span className="scene-check" data-on={place % 2 === 0 || undefined}>
            <Icon name="check" />
          </span>
        </div>
      ))}
    </div>
  ),
  threads: (
    <div className="scene-columns" data-flip>
      <div className="scene-talk">
        <Said by="ewa" widths={[84, 60]} />
        <div className="scene-poll">
          <Lines widths={[66]} />
          <u style={{ '--share': '72%' } as React.CSSProperties} />
          <u style={{ '--share': '46%' } as React.CSSProperties} />
          <u style={{ '--share': '18%' } as React.CSSProperties} />
        </div>
        <Said own widths={[74]} ticks />
      </div>
      <div className="scene-list">
        <Said by="ewa" widths={[90]} />
        <Said by="mei" widths={[70, 88]} />
        <Said by="tom" widths={[60]} />
      </div>
    </div>
  ),
  offline: (
    <div className="scene-talk">
      <Said by="mei" widths={[78]} />
      <Said own widths={[86, 50]} ticks />
      <Said own widths={[64]} waiting />
      <Said own widths={[80]} waiting />
      <div className="scene-composer">
        <Lines widths={[42]} />
        <s />
      </div>
    </div>
  ),
  yours: (
    <div className="scene-servers">
      {[0, 1, 2].map((server) => (
        <div key={server} className="scene-server">
          <b />
          <b />
          <Lines widths={[46 + server * 12]} />
        </div>
      ))}
      <span className="scene-lock">
        <Drawing name="shield" path={drawn.shield} />
      </span>
    </div>
  ),
}

function Face({ seed }: { seed: string }) {
  return <img className="scene-face" src={`/avatars/${seed}.svg`} alt="" width={32} height={32} loading="lazy" />
}

function Lines({ widths }: { widths: number[] }) {
  return (
    <span className="scene-lines">
      {widths.map((width) => (
        <i key={width} style={{ inlineSize: `${width}%` }} />
      ))}
    </span>
  )
}

function Said({ by, own, widths, ticks, hearts, waiting }: SaidProps) {
  return (
    <div className="scene-said" data-own={own} data-waiting={waiting}>
      {by && <Face seed={by} />}
      <div className="scene-bubble">
        <Lines widths={widths} />
        {hearts && <small>♥ 2</small>}
      </div>
      {ticks && <Icon name="check" />}
      {waiting && <Drawing name="clock" path={drawn.clock} />}
    </div>
  )
}

interface SaidProps {
  by?: string
  own?: boolean
  /** The widths of the text lines, in percent. */
  widths: number[]
  ticks?: boolean
  hearts?: boolean
  waiting?: boolean
}

function Typing({ by }: { by: string }) {
  return (
    <div className="scene-said">
      <Face seed={by} />
      <div className="scene-bubble" data-typing>
        <b />
        <b />
        <b />
      </div>
    </div>
  )
}
