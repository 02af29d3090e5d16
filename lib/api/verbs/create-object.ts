import {
  type JsonObject,
  LabelLimitError,
  metadataOf,
  type ObjectState,
  toObject,
  type WriteOutcome,
} from '../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  objectNameOf,
  readDryRun,
  readJsonBody,
} from '../http/index.ts';
import {
  DEFAULT_NAMESPACE,
  decodeObject,
  ensureDefaultNamespace,
  finalizerWarnings,
  generatesName,
  NAMESPACES,
  newObject,
  readNamespace,
  refuseNamespace,
} from '../objects/index.ts';
import { presenterOf } from '../show/index.ts';
import {
  ApiError,
  alreadyExists,
  badRequest,
  labelLimitExceeded,
  nameNotGenerated,
} from '../status/index.ts';

/** How many generated names are tried, as upstream. */
const NAME_ATTEMPTS = 8;

/** POST to a collection. */
export async function createObject(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  const { type, namespace } = route;
  const present = presenterOf(call);
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const sent = decodeObject(readJsonBody(request, type.kind), type, namespace);
  refuseVersion(metadataOf(sent));
  const created = await createNamed(call, { sent, dryRun });
  await announceCommit(options, collectionOfCall(call), created, dryRun);
  const value = created.after === undefined ? {} : toObject(created.after);
  return { status: 201, value: present.object(value), warnings: finalizerWarnings(type, sent) };
}

function refuseVersion({ resourceVersion = '' }: JsonObject): void {
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
}

interface Creation {
  readonly sent: JsonObject;
  readonly dryRun: boolean;
}

/** A generated name that is taken already is generated again. */
async function createNamed(call: Call, { sent, dryRun }: Creation): Promise<WriteOutcome> {
  const { type } = call.route;
  const attempts = generatesName(metadataOf(sent)) ? NAME_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt += 1) {
    const body = newObject({ type, sent, clock: call.options.clock, random: call.options.random });
    try {
      return await createInNamespace(call, { sent: body, dryRun });
    } catch (error) {
      const taken = error instanceof ApiError && error.reason === 'AlreadyExists';
      if (!taken || attempts === 1) {
        throw error;
      }
      if (attempt === attempts) {
        throw nameNotGenerated(type, String(metadataOf(body).name));
      }
    }
  }
}

/** `default` needs nobody to create it. */
async function createInNamespace(call: Call, creation: Creation): Promise<WriteOutcome> {
  const { options, route } = call;
  try {
    return await write(call, creation);
  } catch (error) {
    const absent = error instanceof ApiError && error.reason === 'NotFound';
    if (!absent || route.namespace !== DEFAULT_NAMESPACE) {
      throw error;
    }
  }
  const outcome = await ensureDefaultNamespace(options.store, options.clock, options.random);
  await announceCommit(options, NAMESPACES, outcome, false);
  return write(call, creation);
}

/**
 * The namespace is read inside the change, so that it is as close before the commit as the store allows:
 * emptying a terminating namespace relies on nothing being created in it much later.
 */
async function write(call: Call, { sent: body, dryRun }: Creation): Promise<WriteOutcome> {
  const { type } = call.route;
  const name = String(metadataOf(body).name);
  const change = async (current: ObjectState | undefined) => {
    await admit(call, name, dryRun);
    if (current !== undefined) {
      throw alreadyExists(type, name);
    }
    return { kind: 'put', body } as const;
  };
  try {
    return await call.options.store.write(collectionOfCall(call), objectNameOf(call, name), change, {
      dryRun,
    });
  } catch (error) {
    throw error instanceof LabelLimitError ? labelLimitExceeded(type, name, error) : error;
  }
}

async function admit({ options, route }: Call, name: string, dryRun: boolean): Promise<void> {
  const { type, namespace } = route;
  if (type.scope === 'Cluster') {
    return;
  }
  const state = await readNamespace(options.store, namespace);
  // A rehearsal does not create `default`, but the write it rehearses would.
  if (state === undefined && dryRun && namespace === DEFAULT_NAMESPACE) {
    return;
  }
  refuseNamespace(state, type, { namespace, name });
}
