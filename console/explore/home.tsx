import { ask, type KindInfo, kinds, METADATA_LIST, pathOf } from '../api/index.ts';
import { EXPLORE, navigate, route, routeUrl } from '../route/index.ts';
import { useAsked } from '../widgets/index.ts';

/** Kubernetes' own kinds that people look at most. */
const FIRST = [
  'pods',
  'deployments.apps',
  'services',
  'nodes',
  'configmaps',
  'jobs.batch',
  'statefulsets.apps',
  'daemonsets.apps',
  'namespaces',
];
/** The groups of Kubernetes and of Winnow itself; kinds of other groups are the user's own. */
const BUILT_IN = /(^|\.)k8s\.io$|^(apps|batch|autoscaling|policy|)$|^winnow\.dev$/;

/** The start: the kinds of the user, and Kubernetes' own. */
export function Home() {
  const own = kinds.value.filter(({ group }) => !BUILT_IN.test(group));
  const first = FIRST.flatMap((id) => kinds.value.find((kind) => kind.id === id) ?? []);
  const rest = kinds.value.filter((kind) => !own.includes(kind) && !first.includes(kind));
  return (
    <div class="home">
      <h1>What do you want to see?</h1>
      <p class="meta">
        Choose a kind. Then narrow the set by labels, and watch what enters and leaves. <kbd>Ctrl K</kbd> goes
        anywhere, <kbd>?</kbd> shows the keys.
      </p>
      {own.length > 0 && <KindList title="Your kinds" kinds={own} isCounted />}
      <KindList title="Often used" kinds={first} isCounted />
      <KindList title="All others" kinds={rest} />
    </div>
  );
}

interface KindListProps {
  readonly title: string;
  readonly kinds: readonly KindInfo[];
  readonly isCounted?: boolean;
}

function KindList({ title, kinds: listed, isCounted = false }: KindListProps) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {listed.map((kind) => (
          <li key={kind.id}>
            <a
              href={routeUrl({ ...EXPLORE, kind: kind.id })}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                const { namespace, as, groups } = route.value;
                navigate({ ...EXPLORE, kind: kind.id, namespace, as, groups });
              }}
            >
              <span>{kind.plural}</span>
              <span class="group meta">{kind.group}</span>
              {isCounted && <Size kind={kind} />}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FirstPage {
  readonly metadata: { readonly remainingItemCount?: number; readonly continue?: string };
  readonly items: readonly unknown[];
}

/** The most objects that the start counts itself. */
const MOST = 500;

/** The number of objects of a kind. */
function Size({ kind }: { readonly kind: KindInfo }) {
  const { as, groups } = route.value;
  const { answer } = useAsked(JSON.stringify([kind.id, as, groups]), (signal) =>
    ask<FirstPage>(pathOf(kind), { query: { limit: String(MOST) }, accept: METADATA_LIST, signal }),
  );
  if (answer === undefined) return null;
  const { metadata, items } = answer;
  const isKnown = metadata.remainingItemCount !== undefined || metadata.continue === undefined;
  const count = items.length + (metadata.remainingItemCount ?? 0);
  return <span class="meta">{`${count.toLocaleString('en')}${isKnown ? '' : '+'}`}</span>;
}
