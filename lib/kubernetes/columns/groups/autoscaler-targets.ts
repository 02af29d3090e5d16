import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { listAt, NONE, textAt } from '../../resource-types/index.ts';

const SHOWN = 2;

/** Formats the current and desired value of each metric: `cpu: 40%/80%, <unknown>/1k + 2 more...`. */
export function autoscalerTargets(autoscaler: JsonObject): string {
  const statuses = listAt(autoscaler, 'status.currentMetrics');
  const all = listAt(autoscaler, 'spec.metrics').map((metric, at) => targetOf(metric, statuses[at]));
  const more = all.length > SHOWN ? ` + ${all.length - SHOWN} more...` : '';
  return all.length === 0 ? NONE : `${all.slice(0, SHOWN).join(', ')}${more}`;
}

function targetOf(metric: JsonValue, status: JsonValue | undefined): string {
  const type = textAt(metric, 'type');
  const source = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const wanted = (value: string) => textAt(metric, `${source}.target.${value}`);
  const current = (value: string) => textAt(status, `${source}.current.${value}`);
  const average = wanted('averageValue');
  switch (type) {
    case 'Pods':
      return `${current('averageValue') || UNKNOWN}/${average}`;
    case 'External':
    case 'Object':
      return average === ''
        ? `${current('value') || UNKNOWN}/${wanted('value')}`
        : `${current('averageValue') || UNKNOWN}/${average} (avg)`;
    case 'ContainerResource':
    case 'Resource': {
      const name = textAt(metric, `${source}.name`);
      if (average !== '') return `${name}: ${current('averageValue') || UNKNOWN}/${average}`;
      return `${name}: ${percent(current('averageUtilization'), UNKNOWN)}/${percent(wanted('averageUtilization'), '<auto>')}`;
    }
    default:
      return '<unknown type>';
  }
}

const UNKNOWN = '<unknown>';

function percent(text: string, otherwise: string): string {
  return text === '' ? otherwise : `${text}%`;
}
