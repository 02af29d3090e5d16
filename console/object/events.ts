/** An Event of the core group, as far as the page reads it. */
export interface KubeEvent {
  readonly metadata: { readonly uid: string; readonly creationTimestamp?: string };
  readonly involvedObject?: { readonly uid?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
}

/** An Event in the parts that the page shows. */
export interface ShownEvent {
  readonly uid: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The program that reported it. */
  readonly from: string;
  /** When it happened for the last time, in RFC 3339. */
  readonly last: string | undefined;
  readonly times: number;
}

/**
 * Reads the Events of an object, the newest first. Those of a former object of the same name are left out. Some programs
 * report Events without a uid.
 */
export function readEvents(events: readonly KubeEvent[], uid: string | undefined): readonly ShownEvent[] {
  const own = events.filter(
    ({ involvedObject }) => !uid || !involvedObject?.uid || involvedObject.uid === uid,
  );
  const shown = own.map((event): ShownEvent => {
    const {
      metadata,
      type = 'Normal',
      reason = '',
      message = '',
      count,
      series,
      source,
      reportingComponent,
    } = event;
    const { firstTimestamp, lastTimestamp, eventTime } = event;
    const first = firstTimestamp || eventTime || metadata.creationTimestamp;
    return {
      uid: metadata.uid,
      type,
      reason,
      message: message.trim(),
      from: source?.component || reportingComponent || '',
      last: series?.lastObservedTime || lastTimestamp || first,
      times: series?.count ?? count ?? 1,
    };
  });
  return shown.sort((one, other) => Date.parse(other.last ?? '') - Date.parse(one.last ?? '') || 0);
}
