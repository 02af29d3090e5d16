import { type JsonValue, objectAt } from '../../../json/index.ts';
import { child, invalid, invalidPrinted, notSupported, required, tooLong } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { goPointer, goSeccompProfile } from '../go-values.ts';
import { isThere, textOf } from '../reading.ts';
import { descendingPath } from './mounts.ts';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const LONGEST_PROFILE = 4_095;

/** Checks the seccomp profile, which restricts system calls. */
export function* seccompProfile(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const { localhostProfile, ...profile } = objectAt(value);
  const type = textOf(profile.type);
  const own = child(path, 'localhostProfile');
  if (type === '') {
    yield required(child(path, 'type'), 'type is required when seccompProfile is set');
  } else if (!TYPES.includes(type)) {
    yield notSupported(child(path, 'type'), type, TYPES);
  }
  if (type !== 'Localhost') {
    const detail = 'can only be set when seccomp type is Localhost';
    if (isThere(localhostProfile)) yield invalidPrinted(own, goSeccompProfile(objectAt(value)), detail);
  } else if (isThere(localhostProfile)) {
    yield* descendingPath(own, textOf(localhostProfile));
  } else {
    yield required(own, 'must be set when seccomp type is Localhost');
  }
}

/** Checks the AppArmor profile, which restricts access of a process. */
export function* appArmorProfile(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const { localhostProfile, ...profile } = objectAt(value);
  const type = textOf(profile.type);
  const own = child(path, 'localhostProfile');
  if (type === '') {
    yield required(child(path, 'type'), 'type is required when appArmorProfile is set');
  } else if (!TYPES.includes(type)) {
    yield notSupported(child(path, 'type'), type, TYPES);
  } else if (type === 'Localhost') {
    yield* localProfile(own, localhostProfile);
  } else if (isThere(localhostProfile)) {
    const detail = 'can only be set when AppArmor type is Localhost';
    yield invalidPrinted(own, goPointer('string', localhostProfile), detail);
  }
}

function* localProfile(path: string, value: JsonValue | undefined): Errors {
  const name = textOf(value);
  if (name.trim() === '' && name.trim() === name) {
    yield required(path, 'must be set when AppArmor type is Localhost');
  } else if (name.trim() !== name) {
    yield invalid(path, name, 'must not be padded with whitespace');
  }
  if (name.length > LONGEST_PROFILE) yield tooLong(path, LONGEST_PROFILE);
}
