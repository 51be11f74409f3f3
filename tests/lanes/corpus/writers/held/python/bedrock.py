import boto3
def ask(text, rules):
    client = boto3.client("bedrock-runtime")
    return client.converse(  # <- site
        modelId="m", system=[{"text": rules}], messages=[{"role": "user", "content": [{"text": text}]}]
    )
