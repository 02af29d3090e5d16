import { metadataOf } from '../../json/index.ts';
import { toObject } from '../../store/index.ts';
import { type Answer, announceCommit, type Call, collectionOfCall } from '../http/index.ts';
import { type DecodedObject, type FieldTracking, writtenWarnings } from '../objects/index.ts';
import { presenterOf } from '../show/index.ts';
import { conflict } from '../status/index.ts';
import { createInNamespace, newInNamespace } from './create-object.ts';
import { ReadAhead } from './read-ahead.ts';

/** Attempts when other clients create and delete the object at the same time. */
const ATTEMPTS = 4;

/** A PUT of an object that does not exist. */
export interface MissedUpdate {
  readonly decoded: DecodedObject;
  readonly tracking: FieldTracking;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** The error if a PUT does not create this object. */
  readonly missing: Error;
  /** Tries the change again. @throws `missing` if the object still does not exist */
  update(): Promise<Answer>;
}

/**
 * Creates the object of a PUT, and ignores the resourceVersion that the client sent.
 * @throws ApiError `missing`: a PUT does not create this resource, or the body has a uid or the path a subresource
 */
export async function createByUpdate(call: Call, missed: MissedUpdate): Promise<Answer> {
  const { type, name, subresource } = call.route;
  const { decoded, missing, update } = missed;
  const { uid = '' } = metadataOf(decoded.body);
  if (subresource !== '' || uid !== '' || !type.createOnUpdate) throw missing;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const made = await create(call, missed);
    if (made !== undefined) return made;
    try {
      return await update();
    } catch (error) {
      if (error !== missing) throw error;
    }
  }
  throw conflict(type, name, 'other clients create and delete the object at the same time; please try again');
}

/** Creates the object. Returns undefined if another client created it meanwhile. */
async function create(call: Call, missed: MissedUpdate): Promise<Answer | undefined> {
  const { options, route } = call;
  const { type, name } = route;
  const { decoded, tracking, dryRun, warnings } = missed;
  const { clock, random } = options;
  const { body, emptyStatus } = decoded;
  const { resourceVersion: _resourceVersion, ...metadata } = metadataOf(body);
  const sent = await tracking.created({ ...body, metadata });
  const ahead = new ReadAhead(call, name);
  const made = await newInNamespace(call, { type, sent, emptyStatus, clock, random, dryRun, ahead });
  const created = await createInNamespace(call, { ...made, dryRun, ahead });
  if (typeof created === 'string') return undefined;
  await announceCommit(options, collectionOfCall(call), created, dryRun);
  const value = created.after === undefined ? {} : toObject(created.after);
  const written = await writtenWarnings(type, '', created);
  return {
    status: 201,
    value: (await presenterOf(call)).object(value),
    warnings: [...warnings, ...written],
  };
}
