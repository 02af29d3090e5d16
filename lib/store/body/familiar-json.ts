/**
 * Text that bodies of Kubernetes objects have in common: the dictionary with which short bodies are compressed. Stored
 * rows need exactly this text, so it never changes: another text needs another row schema version, and this one stays.
 * zlib stores a checksum of it in each body, and refuses to decode a body with another text.
 *
 * Matches near the end of a dictionary take the fewest bits, so the most frequent text is last.
 */
export const FAMILIAR_JSON = Buffer.from(
  [
    '"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"controller":true,"blockOwnerDeletion":true}]',
    String.raw`"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"metadata\":{\"annotations\":{},\"name\":\"`,
    '"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},',
    '"status":{"observedGeneration":1,"conditions":[{"type":"Available","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"message":"',
    String.raw`"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{}}},"subresource":"status"}`,
    '"clusterIP":"sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster",',
    '"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600,',
    '"replicas":1,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"creationTimestamp":null,"labels":{"app":"app.kubernetes.io/name":',
    '"spec":{"containers":[{"name":"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default",',
    '"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"BestEffort"',
    '"protocol":"TCP"}],"env":[{"name":"","value":""}],"resources":{"limits":{"cpu":"1","memory":"512Mi"},"requests":{"cpu":"100m","memory":"64Mi"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent",',
    String.raw`"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:args":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:securityContext":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{`,
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default","uid":"","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{"manager":"kubectl-client-side-apply","manager":"unknown","operation":"Apply","operation":"Update","apiVersion":"apps/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{',
  ].join(''),
);
