import { useState } from 'preact/hooks';
import type { LiveObject } from '../../lib/client/objects/index.ts';
import type { KindInfo } from '../api/index.ts';
import { navigate, openText, type Route, route, routeUrl } from '../route/index.ts';
import { valueText } from '../selector/index.ts';
import { RemoveDialog, Shown } from '../set-objects/index.ts';
import { conditionOf, type SetObject, setSentence } from '../sets/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { Menu } from '../widgets/index.ts';
import { type Bounds, barsOf, boundsText, type Gauge, type Group, gaugeOf, routeOf } from './groups.ts';

export interface TallyBody
  extends SetObject<
    { readonly groupBy?: readonly string[]; readonly bounds?: Bounds },
    { readonly count?: number; readonly groups?: readonly Group[] }
  > {}

interface CardProps {
  readonly kind: KindInfo;
  readonly tally: LiveObject<TallyBody>;
}

/** The bars of a card before "Show more". */
const MOST_BARS = 12;
const TONES: Readonly<Record<string, string>> = {
  Within: 'enter',
  Below: 'leave',
  Above: 'leave',
  Counting: 'change',
};
const WORDS: Readonly<Record<string, string>> = {
  Within: 'within bounds',
  Below: 'below the bounds',
  Above: 'above the bounds',
  Counting: 'being counted',
  Suspended: 'not counted: suspended',
};

/** One Tally: its count, its bounds, and a bar for each group. Each number leads to its objects. */
export function TallyCard({ kind, tally }: CardProps) {
  const { metadata, spec, status } = tally;
  const { namespace = '', name } = metadata;
  const [isRemoving, setRemoving] = useState(false);
  const why = whyNoWrites();
  const keys = spec.groupBy ?? [];
  const bars = barsOf(status?.groups ?? [], keys);
  const phase = status?.phase ?? 'Counting';
  const gauge = gaugeOf(status?.count ?? 0, spec.bounds);
  const grouped = conditionOf(status, 'Grouped');
  return (
    <section class="card" aria-label={`Tally ${name}`}>
      <header>
        <h2 class="mono">{name}</h2>
        <span class="meta">{namespace}</span>
        <Menu
          label="⋯"
          name={`Actions of ${name}`}
          class="right"
          items={[
            {
              text: 'Open object',
              act: () => navigate({ open: openText({ kind: kind.id, namespace, name }), tab: '' }),
            },
            { text: 'Delete …', note: why, act: () => setRemoving(true), isDisabled: why !== '' },
          ]}
        />
      </header>
      <p class="meta clip" title={setSentence(spec, namespace)}>
        {setSentence(spec, namespace)}
      </p>
      <p class="total">
        <Link to={routeOf(spec, namespace, '')}>{status?.count?.toLocaleString('en') ?? '–'}</Link>
        {(spec.bounds !== undefined || phase !== 'Within') && (
          <span class={`phase ${TONES[phase] ?? 'muted'}`}>
            {WORDS[phase] ?? phase}
            {spec.bounds !== undefined && phase !== 'Suspended' && `: ${boundsText(spec.bounds)}`}
          </span>
        )}
      </p>
      {gauge !== undefined && status?.count !== undefined && (
        <GaugeBar gauge={gauge} tone={TONES[phase] ?? 'muted'} />
      )}
      {grouped?.status === 'False' && <p class="meta">Not grouped: {grouped.message}</p>}
      {bars.length > 0 && (
        <Shown items={bars} size={MOST_BARS} what="groups">
          {(shown) => (
            <table class="bars">
              <caption class="meta">by {keys.join(' and ')}</caption>
              <tbody>
                {shown.map(({ values, count, share, selector }) => (
                  <tr key={selector}>
                    <th scope="row">
                      <Link to={routeOf(spec, namespace, selector)} title={selector}>
                        {values.map(valueText).join(' · ')}
                      </Link>
                    </th>
                    <td class="bar-cell">
                      <div class="facet-bar" style={{ width: `${Math.max(1, share * 100)}%` }} />
                    </td>
                    <td class="number">{count.toLocaleString('en')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Shown>
      )}
      {isRemoving && (
        <RemoveDialog kind={kind} metadata={metadata} close={() => setRemoving(false)}>
          <p>Winnow stops counting. The counted objects stay.</p>
        </RemoveDialog>
      )}
    </section>
  );
}

/** The count on a line with the marks of its bounds. */
function GaugeBar({ gauge, tone }: { readonly gauge: Gauge; readonly tone: string }) {
  const percent = (part: number) => `${part * 100}%`;
  return (
    <div class="gauge" aria-hidden="true">
      <div class={`gauge-fill ${tone}`} style={{ width: percent(gauge.at) }} />
      {[gauge.min, gauge.max].map((bound, at) =>
        bound === undefined ? null : (
          <span key={at === 0 ? 'min' : 'max'} class="gauge-bound" style={{ left: percent(bound) }} />
        ),
      )}
    </div>
  );
}

interface LinkProps {
  readonly to: Route;
  readonly title?: string;
  readonly children: string;
}

function Link({ to, title, children }: LinkProps) {
  const target = { ...to, as: route.value.as, groups: route.value.groups };
  return (
    <a
      href={routeUrl(target)}
      title={title}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        navigate(target);
      }}
    >
      {children}
    </a>
  );
}
