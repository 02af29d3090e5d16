import { AUTHOR_LIFE, readAuthorLife } from '../../../lib/platform/index.ts';
import { openAuthority } from '../../../lib/server/index.ts';
import { KNOWN_SCHEMAS } from '../../../lib/store/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { change } from '../access/insist.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Ask, type Asked, serveApi, serveTogether, warmApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { Chance } from '../world/chance.ts';
import { Author } from './author.ts';
import type { AuthorRecord } from './author-record.ts';
import { accountName, bindings, FORMS, type Identity, identityOf, NAMESPACE } from './identities.ts';

const RETRY = 500;
const NAMES = 3;
const SECRETS_URL = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const WINNOW = `/apis/winnow.dev/v1/namespaces/${NAMESPACE}`;

export interface Authors {
  readonly lives: readonly Promise<void>[];
  end(): void;
}

/**
 * Starts the authors of Subscriptions and Tallies, and the writer of Secrets. Most authors use an API in functions,
 * some an API in one process.
 */
export function liveWithAuthors(cluster: Cluster, record: AuthorRecord, scenario: Scenario): Authors {
  cluster.world.table.rows.set({ ...schemaKey, version: KNOWN_SCHEMAS.newest, from: 0 });
  const identities = identitiesOf(scenario);
  record.follow(cluster.world, [...new Set(identities.map(({ collection }) => collection))]);
  const authorLife = readAuthorLife(AUTHOR_LIFE);
  const alone = serveApi(cluster, { authorLife });
  const together = serveTogether(cluster, { authorLife });
  const begun = begin(cluster, alone, bindings(identities.length));
  const authors = identities.map(
    (_, at) => new Author({ cluster, record, scenario, at, ask: at % 3 === 0 ? together : alone }),
  );
  const afterwards = async (work: () => Promise<void>) => {
    await begun;
    await work();
  };
  return {
    lives: [
      ...authors.map((author) => afterwards(() => author.run())),
      afterwards(() => keepWriting(cluster, alone, scenario)),
    ],
    end: () => {
      for (const author of authors) author.end();
    },
  };
}

const identitiesOf = ({ authors = 0 }: Scenario): Identity[] =>
  Array.from({ length: authors }, (_, at) => identityOf(at));

async function begin({ world }: Cluster, ask: Ask, requests: readonly Asked[]): Promise<void> {
  for (const asked of requests) {
    for (;;) {
      const answer = await ask(asked);
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) break;
      await world.scheduler.sleep(RETRY);
    }
  }
}

/** Creates, changes and deletes Secrets. */
async function keepWriting({ world }: Cluster, ask: Ask, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = world;
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    await ask(writing(chance.pick(['POST', 'PUT', 'PUT', 'DELETE']), `s${chance.below(NAMES)}`, `${count}`));
  }
}

function writing(method: string, name: string, token: string): Asked {
  const url = method === 'POST' ? SECRETS_URL : `${SECRETS_URL}/${name}`;
  if (method === 'DELETE') return { method, url };
  const metadata = { name, annotations: { token } };
  return { method, url, body: { apiVersion: 'v1', kind: 'Secret', metadata, data: {} } };
}

let warmed: Promise<void> | undefined;

/** Has the API load the modules that these actors need, once a process. */
export function warmUp(): Promise<void> {
  warmed ??= load();
  return warmed;
}

async function load(): Promise<void> {
  const chance = new Chance(1);
  const identities = FORMS.map((_, at) => identityOf(at));
  const objects = identities.flatMap(({ deciding }) => deciding ?? []);
  const make = (isThere: boolean) => objects.map((one) => change(one, { chance, token: 'warm', isThere }));
  const ofPods = { resource: { resource: 'pods' }, namespaces: 'Own' };
  const telling = identities.flatMap(({ form, name, caller }, at) =>
    ['subscriptions', 'tallies'].flatMap((resource): Asked[] => [
      {
        method: 'POST',
        url: `${WINNOW}/${resource}`,
        body: {
          metadata: { name },
          spec: { ...ofPods, ...(form === 'named' && { serviceAccountName: accountName(at) }) },
        },
        ...unbound(caller('')),
      },
      {
        method: 'PATCH',
        url: `${WINNOW}/${resource}/${name}`,
        body: { spec: { labelSelector: 'absent!=n1' } },
        contentType: 'application/merge-patch+json',
        ...unbound(caller('')),
      },
    ]),
  );
  const store = await warmApi([
    ...bindings(FORMS.length),
    ...make(false),
    ...make(true),
    ...telling,
    // This request is refused: the uid is that of another account.
    { method: 'GET', url: SECRETS_URL, ...identityOf(0).caller('other') },
    ...['POST', 'PUT', 'DELETE', 'PUT'].map((method) => writing(method, 's0', 'warm')),
    ...objects.map((one) => change(one, { chance, token: undefined, isThere: true })),
  ]);
  await openAuthority({ clock: { now: () => 0 } }).now(store, []);
}

/** An author without the uid of its token, so that the API looks the uid up. */
function unbound({ bound: _, ...caller }: ReturnType<Identity['caller']>): ReturnType<Identity['caller']> {
  return caller;
}
