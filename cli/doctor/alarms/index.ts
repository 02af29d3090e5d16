/** The check of the alarms of a deployed stack. */
export { AlarmExamination } from './alarm-examination.ts';
export { AwsAlarmSource } from './aws-alarm-source.ts';
export { examineAlarms } from './examine-alarms.ts';
