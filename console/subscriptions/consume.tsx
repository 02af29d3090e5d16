import { useState } from 'preact/hooks';
import { findKind, type KindInfo, pathOf } from '../api/index.ts';
import { sessionInfo } from '../session/index.ts';
import { exploreRoute, resourceId } from '../sets/index.ts';
import { copyText } from '../widgets/index.ts';
import { waysToConsume } from './consuming.ts';
import type { Subscription } from './subscription.ts';

interface ConsumeProps {
  readonly kind: KindInfo;
  readonly spec: Subscription['spec'];
  readonly namespace: string;
  readonly name: string;
  readonly queueUrl: string;
}

/** Commands and programs that get the changes of a Subscription. */
export function Consume({ spec, namespace, name, queueUrl }: ConsumeProps) {
  const [at, setAt] = useState(0);
  const of = findKind(resourceId(spec));
  const { namespace: inside, selector, fields } = exploreRoute(spec, namespace);
  const ways = waysToConsume({
    name,
    namespace,
    server: sessionInfo.value.server,
    queueUrl,
    collection: of === undefined ? '' : pathOf(of, inside),
    selector,
    fields,
  });
  const way = ways[at] ?? ways[0];
  if (way === undefined) return null;
  return (
    <>
      <div class="detail-title">
        <h3>Read the changes</h3>
        <fieldset class="toggle" aria-label="Way to read the changes">
          {ways.map((one, index) => (
            <button key={one.name} type="button" aria-pressed={index === at} onClick={() => setAt(index)}>
              {one.name}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="code">
        <pre tabIndex={0}>{way.text}</pre>
        <button type="button" onClick={() => void copyText(way.text, way.name)}>
          Copy
        </button>
      </div>
      <p class="meta">{way.note}</p>
    </>
  );
}
