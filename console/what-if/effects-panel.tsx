import type { Selection } from '../../lib/client/objects/index.ts';
import { kindIdOf } from '../api/index.ts';
import { navigate, openText } from '../route/index.ts';
import { type Effect, type Effects, meaningOf, selectionKey } from './effects.ts';
import { counted } from './outcomes.ts';

/** The most selectors of each list. */
const MOST = 50;

interface EffectsPanelProps {
  readonly effects: Effects;
  /** Whether the effects are those of more than one object. */
  readonly isMany: boolean;
  /** Called before another object is opened. */
  readonly leave?: (() => void) | undefined;
}

/** What begins and stops to select objects, and which controllers would fight for them. */
export function EffectsPanel({ effects, isMany, leave }: EffectsPanelProps) {
  const { begins, stops, fights, hidden } = effects;
  const rows = [
    ...begins.slice(0, MOST).map((effect) => ({ how: 'enter' as const, effect })),
    ...stops.slice(0, MOST).map((effect) => ({ how: 'leave' as const, effect })),
  ];
  const more = Math.max(0, begins.length - MOST) + Math.max(0, stops.length - MOST);
  return (
    <div class="effects">
      {fights.map(({ controllers, objects }) => (
        <p class="notice change" key={controllers.map(selectionKey).join()} role="alert">
          <b>These controllers would fight: </b>
          {controllers.map(nameOf).join(' and ')} would both claim{' '}
          {isMany ? counted(objects, 'object') : 'this object'}. Each counts it as its own, and may delete it.
        </p>
      ))}
      {rows.length === 0 ? (
        <p class="meta">No selector begins or stops to match.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Effect</th>
              <th scope="col">Object with the selector</th>
              <th scope="col">Selector</th>
              {isMany && (
                <th scope="col" class="number">
                  Objects
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ how, effect }) => (
              <EffectRow key={how + selectionKey(effect.selection)} {...{ how, effect, isMany, leave }} />
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p class="meta">And {counted(more, 'more selector')}.</p>}
      {hidden.length > 0 && (
        <p class="meta">Without {hidden.map((kind) => `${kind}s`).join(' and ')}: you may not list them.</p>
      )}
    </div>
  );
}

interface EffectRowProps {
  readonly how: 'enter' | 'leave';
  readonly effect: Effect;
  readonly isMany: boolean;
  readonly leave: (() => void) | undefined;
}

function EffectRow({ how, effect: { selection, objects }, isMany, leave }: EffectRowProps) {
  const { carrier, metadata, selector, fieldSelector } = selection;
  const { name, namespace = '' } = metadata;
  const id = kindIdOf(carrier.apiVersion ?? '', carrier.kind ?? '');
  return (
    <tr class={`edge ${how}-edge`}>
      <td>
        <span class={how}>{how === 'enter' ? '+ begins' : '− stops'}</span>{' '}
        <span class="meta">{meaningOf(selection)}</span>
      </td>
      <td>
        <span class="meta">{carrier.kind} </span>
        {id === '' ? (
          <span class="mono">{name}</span>
        ) : (
          <button
            type="button"
            class="link mono"
            onClick={() => {
              leave?.();
              navigate({ open: openText({ kind: id, namespace, name }), tab: '' });
            }}
          >
            {name}
          </button>
        )}
        {namespace !== '' && <span class="meta"> in {namespace}</span>}
      </td>
      <td class="mono break">
        {selector || 'every object'}
        {fieldSelector && <span class="meta"> and {fieldSelector}</span>}
      </td>
      {isMany && <td class="number">{objects.toLocaleString('en')}</td>}
    </tr>
  );
}

function nameOf({ carrier, metadata }: Selection): string {
  return `${carrier.kind} ${metadata.name}`;
}
