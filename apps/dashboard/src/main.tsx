import './nonce.js';
import './app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './http/query-client.js';
import { createAppRouter } from './router.js';
import { Toasts } from './ui/overlays/toasts.js';
import { TooltipHome } from './ui/overlays/tooltip.js';

const client = createQueryClient(
  () => void router.navigate({ to: '/sign-in', search: { next: router.state.location.href } }),
);
const router = createAppRouter(client);

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <TooltipHome>
        <RouterProvider router={router} />
        <Toasts />
      </TooltipHome>
    </QueryClientProvider>
  </StrictMode>,
);
