/** Tables around a table: patient where it is throttled, gathering where it is asked at once, counting what it takes. */
export { gatheredTable } from './gathered-table.ts';
export { addTally, noReadCost, measuredTable, type ReadCost } from './measured-table.ts';
export { patientTable } from './patient-table.ts';
