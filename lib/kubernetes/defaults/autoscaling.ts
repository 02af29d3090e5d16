import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';
import type { Defaults } from './defaults.ts';

const CPU = { type: 'Utilization', averageUtilization: 80 };
const UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const DOWN: JsonObject = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** The defaults of HorizontalPodAutoscalers. */
export const autoscalingDefaults: Defaults = {
  'autoscaling.v2.HorizontalPodAutoscalerSpec': (spec) => {
    if (!Array.isArray(spec.metrics) || spec.metrics.length === 0) {
      spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { ...CPU } } }];
    }
    if (!isJsonObject(spec.behavior)) return;
    const { scaleUp, scaleDown } = spec.behavior;
    spec.behavior = {
      scaleUp: { ...structuredClone(UP), ...objectAt(scaleUp) },
      scaleDown: { ...structuredClone(DOWN), ...objectAt(scaleDown) },
    };
  },
};
