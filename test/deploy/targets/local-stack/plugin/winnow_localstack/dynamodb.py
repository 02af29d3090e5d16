"""DynamoDB Local from the jars of Maven Central, where LocalStack would download an archive of AWS."""

import os

from localstack.runtime import hooks
from localstack.services.dynamodb.packages import DynamoDBLocalPackageInstaller
from localstack.services.dynamodb.server import DynamodbServer

MAIN = "software.amazon.dynamodb.services.local.main.ServerRunner"


@hooks.on_infra_start()
def dynamodb_from_maven() -> None:
    """Has LocalStack find DynamoDB Local installed, and start it from the jars, with the Java on the PATH."""
    jars = os.environ["WINNOW_DYNAMODB_JARS"]
    original = DynamodbServer._create_shell_command

    def create_shell_command(server: DynamodbServer) -> list[str]:
        command = original(server)
        arguments = command[command.index("-jar") + 2 :]
        java = ["java", f"-Xmx{server.heap_size}", f"-Djava.library.path={jars}", "-cp", f"{jars}/*"]
        return [*java, MAIN, *arguments]

    DynamodbServer._create_shell_command = create_shell_command
    DynamoDBLocalPackageInstaller.install = lambda installer, target=None: None
    DynamoDBLocalPackageInstaller.get_installed_dir = lambda installer: jars
    DynamoDBLocalPackageInstaller.get_java_env_vars = lambda installer: {}
