import type { JsonObject } from '../../lib/json/index.ts';
import { mapBounded, silentLogger, systemClock, systemRandom } from '../../lib/platform/index.ts';
import { type Api, createApi, readingVerbs, type UserInfo, writingVerbs } from '../../lib/server/index.ts';
import { createStore, createWatches, measuredTable, noReadCost } from '../../lib/store/index.ts';
import { ADMIN } from '../support/service/admin.ts';
import { startTable } from '../support/store/table.ts';
import { SCOPED_BARS } from './bars.ts';
import { DifferenceError } from './compare.ts';

/** One object of so many is of the tenant's team. */
const ONE_OF = 100;
const SIDE_BY_SIDE = 16;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const GRANTS = '/apis/winnow.dev/v1/clusteraccessgrants';
const TENANT: UserInfo = { username: 'tenant', groups: ['system:authenticated'] };

interface Asked {
  readonly path: string;
  /** What is created. */
  readonly body?: JsonObject;
  readonly user?: UserInfo;
}

/**
 * What a LIST reads of who sees one object in a hundred by a grant, beside the LIST of all; and what is read to decide,
 * in a process that has decided before.
 *
 * @throws DifferenceError he is shown others, or fewer
 */
export async function scopedListFigures(objects: number) {
  const { table, stop } = await startTable();
  try {
    const used = noReadCost();
    const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const store = createStore({ ...outside, table: measuredTable(table, used) });
    const api = createApi({
      ...outside,
      store,
      watches: createWatches({ ...outside, store }),
      verbs: { ...readingVerbs, ...writingVerbs },
      announce: async () => {},
    });
    await fill(api, objects);
    const measured = async (asked: Asked) => {
      // Once before: what a process knows of grants and labels it asks once.
      await ask(api, asked);
      const before = { ...used };
      const { items } = await ask(api, asked);
      const rows = used.rows - before.rows;
      const units = used.units - before.units;
      return {
        items: Array.isArray(items) ? items.length : 1,
        requests: used.requests - before.requests,
        rows,
        units,
      };
    };
    const whole = await measured({ path: CONFIG_MAPS });
    const scoped = await measured({ path: CONFIG_MAPS, user: TENANT });
    const any = await measured({ path: `${CONFIG_MAPS}/c0` });
    const own = await measured({ path: `${CONFIG_MAPS}/c0`, user: TENANT });
    if (scoped.items !== Math.ceil(objects / ONE_OF) || whole.items !== objects) {
      throw new DifferenceError(
        `of ${objects} objects he is shown ${scoped.items}, and all are ${whole.items}`,
      );
    }
    const decisionReads = own.requests - any.requests;
    const rowsOfMatch = scoped.rows / scoped.items;
    return {
      matches: scoped.items,
      units: scoped.units,
      rows: scoped.rows,
      wholeUnits: whole.units,
      wholeRows: whole.rows,
      decisionReads,
      decisionUnits: own.units - any.units,
      readsBar: SCOPED_BARS.decisionReads,
      rowsBar: SCOPED_BARS.rowsOfMatch,
      reached: decisionReads <= SCOPED_BARS.decisionReads && rowsOfMatch <= SCOPED_BARS.rowsOfMatch,
    };
  } finally {
    await stop();
  }
}

async function fill(api: Api, objects: number): Promise<void> {
  const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }];
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: TENANT.username }];
  await ask(api, { path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } });
  await ask(api, { path: ROLES, body: { metadata: { name: 'reader' }, rules } });
  const grant = {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects,
    labelSelector: { matchLabels: { team: 't0' } },
  };
  await ask(api, { path: GRANTS, body: grant });
  const numbers = Array.from({ length: objects }, (_, at) => at);
  await mapBounded(numbers, SIDE_BY_SIDE, (at) =>
    ask(api, {
      path: CONFIG_MAPS,
      body: { metadata: { name: `c${at}`, labels: { team: `t${at % ONE_OF}` } } },
    }),
  );
}

async function ask(api: Api, { path, body, user = ADMIN }: Asked): Promise<JsonObject> {
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    user,
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  };
  const { status, body: answer } = await api.handle(request, new AbortController().signal);
  let text = '';
  if (typeof answer === 'string') {
    text = answer;
  } else if (answer instanceof Uint8Array) {
    text = new TextDecoder().decode(answer);
  } else {
    for await (const part of answer) text += typeof part === 'string' ? part : new TextDecoder().decode(part);
  }
  if (status >= 300) throw new Error(`${request.method} ${path} was answered ${status}: ${text}`);
  return JSON.parse(text);
}
