import json
import sys

import boto3

queue_url = sys.argv[1]  # the Subscription's status.queueUrl
local = {"region_name": "local", "aws_access_key_id": "local", "aws_secret_access_key": "local"}  # of `npm start`
endpoint = {"endpoint_url": queue_url.rsplit("/", 2)[0], **local} if "//127.0.0.1:" in queue_url else {}
sqs = boto3.client("sqs", **endpoint)
newest = {}  # (edit, resourceVersion) by object

while True:
    received = sqs.receive_message(
        QueueUrl=queue_url, MaxNumberOfMessages=10, WaitTimeSeconds=20, MessageAttributeNames=["edit"]
    )
    for message in received.get("Messages", []):
        event = json.loads(message["Body"])
        kind, metadata = event["type"], event["object"]["metadata"]
        edit = int(message.get("MessageAttributes", {}).get("edit", {}).get("StringValue", 0))
        version = (edit, int(metadata.get("resourceVersion", 0)))
        key = f"{metadata.get('namespace', '')}/{metadata.get('name')}"
        if kind == "ERROR":
            newest.clear()  # a new snapshot follows
            print(kind, event["object"]["message"], flush=True)
        elif kind == "BOOKMARK":
            print(f"edit {edit} is complete", flush=True)
        elif version > newest.get(key, (0, 0)):
            newest[key] = version  # also for DELETED: an older event may arrive again
            print(kind, key, metadata["resourceVersion"], flush=True)
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
