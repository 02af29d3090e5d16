import { navigate, type OpenObject, openText, route, routeUrl } from '../route/index.ts';

interface ObjectLinkProps {
  /** Empty for a kind that Winnow does not serve: then there is only the name. */
  readonly kindId: string;
  readonly namespace: string;
  readonly name: string;
}

/** The name of another object, which opens it in the drawer. */
export function ObjectLink({ kindId, namespace, name }: ObjectLinkProps) {
  if (kindId === '') return <span class="mono">{name}</span>;
  const object: OpenObject = { kind: kindId, namespace, name };
  return (
    <a
      class="mono object-link"
      title={name}
      href={routeUrl({ ...route.value, open: openText(object), tab: '' })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        navigate({ open: openText(object), tab: '' });
      }}
    >
      {name}
    </a>
  );
}
