import { type JsonObject, objectAt } from '../../../json/index.ts';
import { child, index, invalid, notFound, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, objectsOf, textOf } from '../reading.ts';

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/** Checks the volume mounts of a container. */
export function* volumeMounts(path: string, container: JsonObject, volumes: Volumes): Errors {
  const devices = objectsOf(container.volumeDevices);
  const taken = new Set<string>();
  for (const [at, mount] of objectsOf(container.volumeMounts).entries()) {
    const own = index(path, at);
    const [name, mountPath] = [textOf(mount.name), textOf(mount.mountPath)];
    if (name === '') yield required(child(own, 'name'));
    if (!volumes.has(name)) yield notFound(child(own, 'name'), name);
    if (mountPath === '') yield required(child(own, 'mountPath'));
    if (taken.has(mountPath)) yield invalid(child(own, 'mountPath'), mountPath, 'must be unique');
    taken.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      yield invalid(child(own, 'name'), name, 'must not already exist in volumeDevices');
    }
    if (devices.some((device) => device.devicePath === mountPath)) {
      yield invalid(child(own, 'mountPath'), mountPath, 'must not already exist as a path in volumeDevices');
    }
    yield* subPaths(path, own, mount);
  }
}

/** Checks the paths within a volume. Kubernetes reports a wrong path at the list, not at the mount. */
function* subPaths(path: string, own: string, mount: JsonObject): Errors {
  const [subPath, expression] = [textOf(mount.subPath), textOf(mount.subPathExpr)];
  yield* descendingPath(child(path, 'subPath'), subPath);
  if (expression !== '' && subPath !== '') {
    yield invalid(child(own, 'subPathExpr'), expression, 'subPathExpr and subPath are mutually exclusive');
  }
  yield* descendingPath(child(path, 'subPathExpr'), expression);
}

export function* descendingPath(path: string, value: string): Errors {
  if (value.startsWith('/')) yield invalid(path, value, 'must be a relative path');
  yield* noBacksteps(path, value);
}

export function* noBacksteps(path: string, value: string): Errors {
  if (value.split('/').includes('..')) yield invalid(path, value, "must not contain '..'");
}

/** Checks the raw block devices of a container. */
export function* volumeDevices(path: string, container: JsonObject, volumes: Volumes): Errors {
  const mounts = objectsOf(container.volumeMounts);
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [at, device] of objectsOf(container.volumeDevices).entries()) {
    const own = index(path, at);
    const [name, devicePath] = [textOf(device.name), textOf(device.devicePath)];
    const source = volumes.get(name);
    if (name === '') yield required(child(own, 'name'));
    if (names.has(name)) yield invalid(child(own, 'name'), name, 'must be unique');
    if (source === undefined) {
      yield notFound(child(own, 'name'), name);
    } else if (!isThere(source.persistentVolumeClaim) && !isThere(source.ephemeral)) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      yield invalid(child(own, 'name'), name, detail);
    }
    if (devicePath === '') yield required(child(own, 'devicePath'));
    if (paths.has(devicePath)) yield invalid(child(own, 'devicePath'), devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) {
      yield invalid(child(own, 'devicePath'), devicePath, "can not contain backsteps ('..')");
    }
    paths.add(devicePath);
    if (mounts.some((mount) => objectAt(mount).name === name)) {
      yield invalid(child(own, 'name'), name, 'must not already exist in volumeMounts');
    }
    if (mounts.some((mount) => mount.mountPath === devicePath)) {
      yield invalid(child(own, 'devicePath'), devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}
