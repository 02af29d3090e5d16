"""LocalStack without Docker: Lambda functions are Node processes, DynamoDB Local comes from Maven Central.

Its two entry points are LocalStack's own extension points; `../winnow_localstack-1.0.dist-info` names them. It is
told where things are by WINNOW_NODE (a program) and WINNOW_DYNAMODB_JARS (a folder).
"""
