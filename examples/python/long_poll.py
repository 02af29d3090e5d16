import json
import sys

import boto3

queue_url = sys.argv[1]  # the Subscription's status.queueUrl
sqs = boto3.client("sqs")
newest = {}

while True:
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10, WaitTimeSeconds=20)
    for message in received.get("Messages", []):
        event = json.loads(message["Body"])
        kind, metadata = event["type"], event["object"]["metadata"]
        key = f"{metadata.get('namespace', '')}/{metadata.get('name')}"
        if kind == "ERROR":
            newest.clear()  # forget all that you know: a fresh snapshot follows
            print(kind, event["object"]["message"], flush=True)
        elif kind == "BOOKMARK":
            if "k8s.io/initial-events-end" in metadata.get("annotations", {}):
                print("the snapshot is complete", flush=True)
        elif int(metadata["resourceVersion"]) > newest.get(key, 0):
            newest[key] = int(metadata["resourceVersion"])  # also of what is DELETED
            print(kind, key, metadata["resourceVersion"], flush=True)
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
