import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { quantityNanos } from '../../quantities/index.ts';
import { quote } from '../../selectors/index.ts';
import { isThere, numberOf, objectsOf, textOf } from './reading.ts';

/** Functions that format values as Go's `%#v`. Kubernetes shows values in this form unless they are plain. */

export function goTexts(value: JsonValue | undefined, type = 'string'): string {
  if (!Array.isArray(value)) return `[]${type}(nil)`;
  return `[]${type}{${value.map((one) => quote(textOf(one))).join(', ')}}`;
}

/** Formats a map of strings, sorted by key. */
export function goMap(value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return 'map[string]string(nil)';
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[string]string{${entries.map(([key, text]) => `${quote(key)}:${quote(textOf(text))}`).join(', ')}}`;
}

const NEEDS_VALUES = ['In', 'NotIn'];

/**
 * Formats a LabelSelector. Decoding drops an empty list of values, so it is restored for operators that need values.
 */
export function goLabelSelector({ matchLabels, matchExpressions }: JsonObject): string {
  const requirements = objectsOf(matchExpressions).map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${quote(textOf(key))}, Operator:${quote(textOf(operator))}, Values:${goTexts(values ?? (NEEDS_VALUES.includes(textOf(operator)) ? [] : values))}}`,
  );
  const listed = Array.isArray(matchExpressions) ? `{${requirements.join(', ')}}` : '(nil)';
  return `v1.LabelSelector{MatchLabels:${goMap(matchLabels)}, MatchExpressions:[]v1.LabelSelectorRequirement${listed}}`;
}

export function goIntOrString(value: JsonValue | undefined): string {
  return typeof value === 'string'
    ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`
    : `intstr.IntOrString{Type:0, IntVal:${numberOf(value)}, StrVal:""}`;
}

/** Formats a pointer. Go prints a memory address; this prints the value. */
export function goPointer(type: string, value: JsonValue | undefined): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return `(*${type})(${isThere(value) ? shown : 'nil'})`;
}

export function goOwner(reference: JsonObject): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  const named = `APIVersion:${quote(textOf(apiVersion))}, Kind:${quote(textOf(kind))}, Name:${quote(textOf(name))}, UID:${quote(textOf(uid))}`;
  return `v1.OwnerReference{${named}, Controller:${goPointer('bool', controller)}, BlockOwnerDeletion:${goPointer('bool', blockOwnerDeletion)}}`;
}

/** Formats a time as Go does: `2020-01-01 00:00:00 +0000 UTC`. */
export function goTime(value: JsonValue): string {
  const time = new Date(textOf(value));
  return Number.isNaN(time.getTime())
    ? textOf(value)
    : `${time.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

export function goSeccompProfile({ type, localhostProfile }: JsonObject): string {
  const profile = goPointer('string', localhostProfile);
  return `core.SeccompProfile{Type:${quote(textOf(type))}, LocalhostProfile:${profile}}`;
}

const SECURITY_FIELDS: readonly (readonly [field: string, shown: string, type: string])[] = [
  ['capabilities', 'Capabilities', 'core.Capabilities'],
  ['privileged', 'Privileged', 'bool'],
  ['seLinuxOptions', 'SELinuxOptions', 'core.SELinuxOptions'],
  ['windowsOptions', 'WindowsOptions', 'core.WindowsSecurityContextOptions'],
  ['runAsUser', 'RunAsUser', 'int64'],
  ['runAsGroup', 'RunAsGroup', 'int64'],
  ['runAsNonRoot', 'RunAsNonRoot', 'bool'],
  ['readOnlyRootFilesystem', 'ReadOnlyRootFilesystem', 'bool'],
  ['allowPrivilegeEscalation', 'AllowPrivilegeEscalation', 'bool'],
  ['procMount', 'ProcMount', 'core.ProcMountType'],
  ['seccompProfile', 'SeccompProfile', 'core.SeccompProfile'],
  ['appArmorProfile', 'AppArmorProfile', 'core.AppArmorProfile'],
];

export function goSecurityContext(context: JsonObject): string {
  const fields = SECURITY_FIELDS.map(([field, shown, type]) => `${shown}:${goPointer(type, context[field])}`);
  return `core.SecurityContext{${fields.join(', ')}}`;
}

/** Formats the update strategy of a workload: its type and its rolling update. */
export function goStrategy(strategy: JsonObject, type: string, rollingUpdate: string): string {
  const rolling = isThere(strategy.rollingUpdate) ? objectAt(strategy.rollingUpdate) : undefined;
  return `${type}{Type:${quote(textOf(strategy.type))}, RollingUpdate:${goPointer(rollingUpdate, rolling)}}`;
}

const BINARY = /^\d+[KMGTPE]i$/;
const NANO_DIGITS = 9;

/** Formats a quantity. After Go has printed it once (`isPrinted`), it also holds its text. */
export function goQuantity(value: JsonValue | undefined, isPrinted = false): string {
  const text = textOf(value);
  const { digits, scale } = scaled(quantityNanos(text) ?? 0n);
  const format = BINARY.test(text) ? 'BinarySI' : /e\d+$/.test(text) ? 'DecimalExponent' : 'DecimalSI';
  return `resource.Quantity{i:resource.int64Amount{value:${digits}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(isPrinted ? text : '')}, Format:${quote(format)}}`;
}

/** Returns the number with the fewest digits. A whole number has scale 0. */
function scaled(nanos: bigint): { digits: bigint; scale: number } {
  let [digits, scale] = [nanos, -NANO_DIGITS];
  while (scale < 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale += 1;
  }
  return { digits, scale };
}

/** Formats amounts of resources, sorted by name. */
export function goAmounts(value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return 'core.ResourceList(nil)';
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `core.ResourceList{${entries.map(([name, amount]) => `${quote(name)}:${goQuantity(amount, true)}`).join(', ')}}`;
}
