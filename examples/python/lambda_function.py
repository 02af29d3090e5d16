import json
import logging
import os

import boto3

# Stores the set that a Subscription selects in a table with the partition key "id" (a string).
table = boto3.resource("dynamodb").Table(os.environ.get("TABLE", "inventory"))


def lambda_handler(event, _context):
    """In a FIFO queue nothing may overtake a message that failed: it and all behind it go back to the queue."""
    records = event["Records"]
    for index, record in enumerate(records):
        try:
            take(json.loads(record["body"]), edit_of(record))
        except Exception:
            logging.exception("message %s", record["messageId"])
            return {"batchItemFailures": [{"itemIdentifier": one["messageId"]} for one in records[index:]]}
    return {"batchItemFailures": []}


def edit_of(record):
    return int(record.get("messageAttributes", {}).get("edit", {}).get("stringValue", 0))


def take(event, edit):
    """May be told the same event twice, and an old one after a newer one."""
    kind, metadata = event["type"], event["object"]["metadata"]
    if kind == "ERROR":
        forget(edit)
    elif kind != "BOOKMARK":
        name = f"{metadata.get('namespace', '')}/{metadata['name']}"
        item = {"id": name, "edit": edit, "rv": int(metadata["resourceVersion"])}
        # A deleted object leaves a row without an object, so that an older event cannot restore it.
        put_newer(item if kind == "DELETED" else {**item, "object": json.dumps(event["object"])})
    elif "k8s.io/initial-events-end" in metadata.get("annotations", {}):
        table.put_item(Item={"id": "complete"})


def put_newer(item):
    """By edit, then by resourceVersion. DynamoDB compares all digits of a number."""
    condition = "attribute_not_exists(edit) OR edit < :edit OR (edit = :edit AND rv < :rv)"
    values = {":edit": item["edit"], ":rv": item["rv"]}
    try:
        table.put_item(Item=item, ConditionExpression=condition, ExpressionAttributeValues=values)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        pass


def forget(edit):
    """What is of a lower edit is not known any more: a fresh snapshot follows."""
    for page in table.meta.client.get_paginator("scan").paginate(TableName=table.name):
        for item in page["Items"]:
            if item.get("edit", 0) < edit:
                table.delete_item(Key={"id": item["id"]})
