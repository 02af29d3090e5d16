import json
import logging
import os

import boto3

# The set that a Subscription selects, in a table with the partition key "id" (a string).
table = boto3.resource("dynamodb").Table(os.environ.get("TABLE", "inventory"))


def lambda_handler(event, _context):
    """In a FIFO queue nothing may overtake a message that failed: it and all behind it go back to the queue."""
    records = event["Records"]
    for index, record in enumerate(records):
        try:
            take(json.loads(record["body"]))
        except Exception:
            logging.exception("message %s", record["messageId"])
            return {"batchItemFailures": [{"itemIdentifier": one["messageId"]} for one in records[index:]]}
    return {"batchItemFailures": []}


def take(event):
    """May be told the same event twice, and an old one after a newer one."""
    kind, metadata = event["type"], event["object"]["metadata"]
    if kind == "ERROR":
        forget()
    elif kind != "BOOKMARK":
        item = {"id": f"{metadata.get('namespace', '')}/{metadata['name']}", "rv": int(metadata["resourceVersion"])}
        # What is gone stays as a row without an object, so that an older event cannot bring it back.
        put_newer(item if kind == "DELETED" else {**item, "object": json.dumps(event["object"])})
    elif "k8s.io/initial-events-end" in metadata.get("annotations", {}):
        table.put_item(Item={"id": "complete"})


def put_newer(item):
    """DynamoDB compares all digits of a number."""
    condition, values = "attribute_not_exists(rv) OR rv < :rv", {":rv": item["rv"]}
    try:
        table.put_item(Item=item, ConditionExpression=condition, ExpressionAttributeValues=values)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        pass


def forget():
    """All that is known was of a selection that ended: a fresh snapshot follows."""
    for page in table.meta.client.get_paginator("scan").paginate(TableName=table.name):
        for item in page["Items"]:
            table.delete_item(Key={"id": item["id"]})
